import { useEffect, useState } from "react";
import { say } from "#app/lib/client-error-messages.ts";
import { draftsWithPrefix } from "#app/lib/drafts.ts";

export const GONE_MEANWHILE = say(
  "Ya no se puede publicar aquí",
  "Aquello sobre lo que escribías se ha borrado mientras tanto. Tu texto sigue aquí para que lo copies.",
);

const textsUnder = (key: string): string[] =>
  draftsWithPrefix(key).flatMap(({ content }) => (typeof content === "string" && content.trim()) || []);

export const UnsentText = ({ text }: { text: string }) => (
  <label className="rows">
    <b>Lo que has escrito</b>
    <textarea readOnly rows={8} defaultValue={text} />
    <span className="text-muted small">No se ha publicado. Puedes copiarlo.</span>
  </label>
);

/** Shows drafts of this tab whose object was deleted. Renders nothing without drafts. */
export function UnsentDrafts({ keys }: { keys: readonly string[] }) {
  const [texts, setTexts] = useState<string[]>([]);
  const key = keys.join();
  useEffect(() => setTexts(key.split(",").flatMap(textsUnder)), [key]);
  if (!texts.length) return null;
  return (
    <section className="stack" aria-label="Lo que has escrito">
      {texts.map((text) => (
        <UnsentText key={text} text={text} />
      ))}
    </section>
  );
}
