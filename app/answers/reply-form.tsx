import { href, useFetcher } from "react-router";
import { LIMITS } from "#shared/limits.ts";
import { TextForm } from "./text-form.tsx";

/** A reply to an answer; it works on its own page too, where it goes without JavaScript. */
export function ReplyForm({ answerId, refused, value }: { answerId: string; refused?: unknown; value?: string }) {
  const fetcher = useFetcher();
  return (
    <TextForm
      fetcher={fetcher}
      refused={refused}
      value={value}
      action={href("/respuesta/:id/comentario", { id: answerId })}
      draft={`reply:${answerId}`}
      label="Tu comentario"
      hint="Se publica como «Usuario»."
      limit={LIMITS.reply}
      button="Enviar"
    />
  );
}
