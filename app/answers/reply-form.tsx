import { href } from "react-router";
import { LIMITS } from "#shared/limits.ts";
import { replyDraft } from "./drafts.ts";
import { TextForm } from "./text-form.tsx";

/** Reply form. Without JavaScript it is on its own page. */
export function ReplyForm({ answerId, ...form }: { answerId: string; response?: unknown; onSent?: () => void }) {
  return (
    <TextForm
      {...form}
      action={href("/respuesta/:id/comentario", { id: answerId })}
      draft={replyDraft(answerId)}
      label="Tu comentario"
      hint="Se publica como «Usuario»."
      limit={LIMITS.reply}
      button="Enviar"
    />
  );
}
