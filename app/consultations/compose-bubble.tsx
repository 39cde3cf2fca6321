import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { readDraft, VISITOR_DRAFT } from "#app/lib/drafts.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import "./compose-bubble.css";

// Loaded when a visitor starts to write.
const loadComposer = () => import("./compose-fields.tsx");

const PLACEHOLDER = "No sé si esto es para contarlo aquí…";

/** Speech bubble in which a visitor writes a consultation. Without JavaScript it links to registration. */
export function Compose() {
  const form = useRef<HTMLFormElement>(null);
  const [composer, setComposer] = useState<Awaited<ReturnType<typeof loadComposer>> | null>(null);
  const open = () => void loadComposer().then(setComposer, () => {});
  const hydrated = useHydrated();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a draft of an earlier page
  useEffect(() => {
    if (!hydrated) return;
    const kept = readDraft(VISITOR_DRAFT);
    if (!kept) return;
    // Before the code has loaded, so that the visitor does not type over the text.
    const text = form.current?.elements.namedItem("content") as HTMLTextAreaElement | null;
    if (text) text.value ||= String(kept.content ?? "");
    open();
  }, [hydrated]);
  const label = <small className={composer ? "visually-hidden" : undefined}>Escribe aquí</small>;
  if (!hydrated)
    return (
      <Link className="compose" to={signInPath("/nueva-consulta")}>
        {label}
        {PLACEHOLDER}
      </Link>
    );
  return (
    <form ref={form} className={composer ? "compose compose--open tint-7" : "compose"}>
      {composer && <composer.Above />}
      <label className="compose__text">
        {label}
        {/* The same element before and after loading, so that focus and typed text stay. */}
        <textarea name="content" rows={1} placeholder={PLACEHOLDER} onClick={open} onInput={open} />
      </label>
      {composer && <composer.Below form={form} />}
    </form>
  );
}
