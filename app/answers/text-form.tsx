import { useEffect, useRef, useState } from "react";
import type { useFetcher } from "react-router";
import { forgetDraft } from "#app/lib/drafts.ts";
import { refusalWords } from "#app/lib/error-words.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { useToast } from "#app/ui/toast.tsx";

/** A field with one text and its button: answers and replies. The text survives a reload and a refusal. */
export function TextForm({
  fetcher,
  refused,
  value,
  action,
  draft,
  label,
  hint,
  limit,
  button,
  disabled = false,
  onSent,
}: {
  fetcher: ReturnType<typeof useFetcher>;
  refused?: unknown;
  value?: string;
  action: string;
  draft: string;
  label: string;
  hint: string;
  limit: { min: number; max: number };
  button: string;
  disabled?: boolean;
  onSent?: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  useDraft(form, draft);
  useRefusalToast(fetcher.data);
  // Without JavaScript the button must work: it is disabled only once the form can tell that nothing is written.
  const [empty, setEmpty] = useState(false);
  useEffect(() => setEmpty(!form.current?.querySelector("textarea")?.value.trim()), []);
  const finished = useRef(onSent);
  useEffect(() => {
    finished.current = onSent;
  });
  const sent = fetcher.data && "done" in (fetcher.data as object) ? fetcher.data : null;
  useEffect(() => {
    if (!sent) return;
    forgetDraft(draft);
    form.current?.reset();
    setEmpty(true);
    form.current?.closest("details")?.removeAttribute("open");
    toast({ title: "¡Respuesta enviada!" });
    finished.current?.();
  }, [sent, draft, toast]);
  const refusal = refusalIn(fetcher.data) ?? refusalIn(refused);
  const error =
    refusal?.fields?.content ?? (refusal && !refusal.fields ? refusalWords(refusal).description : undefined);
  return (
    <fetcher.Form ref={form} method="post" action={action} className="stack">
      <TextArea
        id={`${draft.replace(/[^\w-]/g, "-")}-content`}
        name="content"
        label={label}
        hint={hint}
        required
        minLength={limit.min}
        maxLength={limit.max}
        rows={5}
        defaultValue={value}
        error={error}
        disabled={disabled}
        onInput={(event) => setEmpty(!event.currentTarget.value.trim())}
      />
      <Button type="submit" busy={fetcher.state !== "idle"} busyText="Enviando…" disabled={disabled || empty}>
        {button}
      </Button>
    </fetcher.Form>
  );
}
