import { useEffect, useState } from "react";
import { say } from "#app/lib/client-error-messages.ts";
import { draftsWithPrefix } from "#app/lib/drafts.ts";
import { browserErrorMessage } from "#app/lib/error-messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { useForm } from "./action-form.tsx";

/** Says that another user deleted the object of a form while the user wrote. */
export const GONE_MEANWHILE = say(
  "Ya no se puede publicar aquí",
  "Aquello sobre lo que escribías se ha borrado mientras tanto. Tu texto sigue aquí para que lo copies.",
);

const textsUnder = (key: string): string[] =>
  draftsWithPrefix(key).flatMap(({ content }) => (typeof content === "string" && content.trim()) || []);

/** Read-only text for copying: it has no form any more. */
function UnsentText({ text }: { text: string }) {
  return (
    <TextArea
      label="Lo que has escrito"
      hint="No se ha publicado. Puedes copiarlo."
      readOnly
      rows={8}
      defaultValue={text}
    />
  );
}

/** Shown if the object of a form was deleted before the form was submitted: the reason and the typed text. */
export function UnsentPage({ response }: { response: unknown }) {
  const { error, typed } = useForm(response);
  const { title, description } = error ? browserErrorMessage(error) : GONE_MEANWHILE;
  const text = ["title", "content", "comment"].flatMap((name) => typed?.[name] || []).join("\n\n");
  return (
    <main id="contenido" className="page">
      <div className="thread section stack">
        <h1 className="title-l">{title}</h1>
        <p role="alert">{description}</p>
        <UnsentText text={text} />
        <p>
          <ButtonLink to="/" variant="soft">
            Volver a las consultas
          </ButtonLink>
        </p>
      </div>
    </main>
  );
}

/** Shows drafts of this tab whose object was deleted. Renders nothing without such drafts. */
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
