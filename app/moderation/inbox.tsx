import { useFetcher } from "react-router";
import { errorWords } from "#app/lib/error-messages.ts";
import { counted } from "#app/lib/numbers.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { GoldBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { PlainText } from "#app/ui/text.tsx";
import type { ContactMessageView, InboxView } from "#shared/contact.ts";

/** The messages of the contact form: those of Gold members first, then the oldest. */
export function Inbox({ inbox: { waiting, waiting_total, handled }, now }: { inbox: InboxView; now: string }) {
  return (
    <section aria-labelledby="inbox">
      <h2 id="inbox" className="h-l">
        Mensajes
      </h2>
      <p className="soft mt-[.25rem]">
        {waiting_total === 0
          ? "Se responden desde tu correo."
          : `${counted(waiting_total, "mensaje espera", "mensajes esperan")}. Gold aparece primero; después, el más antiguo. Se responden desde tu correo.`}
      </p>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {waiting.length === 0 && (
          <EmptyState title="No hay mensajes sin atender.">Lo que llegue por Contacto aparecerá aquí.</EmptyState>
        )}
        {waiting.map((message) => (
          <Message key={message.id} message={message} now={now} />
        ))}
      </div>
      {handled.length > 0 && (
        <details className="mt-[1.5rem]">
          <summary className="min-h-[2.75rem] content-center font-[620]">Últimos mensajes atendidos</summary>
          <div className="mt-[1rem] grid gap-[1rem]">
            {handled.map((message) => (
              <Message key={message.id} message={message} now={now} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

function Message({ message, now }: { message: ContactMessageView; now: string }) {
  const fetcher = useFetcher();
  const refused = useRefusalToast(fetcher.data);
  const heading = `message-${message.id}`;
  const words = refused && errorWords(refused.code, refused.facts);
  return (
    <article className="panel stack" aria-labelledby={heading}>
      <div className="row between">
        <h3 id={heading} className="h-s wrap-anywhere">
          {message.name}
        </h3>
        {message.from_gold && <GoldBadge />}
      </div>
      <p className="meta mt-[.25rem]!">
        <a className="wrap-anywhere" href={`mailto:${encodeURIComponent(message.email)}`}>
          {message.email}
        </a>
        <RelativeTime datetime={message.created_at} now={now} />
        {message.handled_at && (
          <span>
            atendido <RelativeTime datetime={message.handled_at} now={now} />
          </span>
        )}
      </p>
      <PlainText text={message.message} className="prose" />
      {words && <FormMessage title={words.title}>{words.description}</FormMessage>}
      {!message.handled_at && (
        <fetcher.Form method="post" action={`/admin/mensaje/${message.id}`}>
          <Button
            type="submit"
            variant="soft"
            small
            icon={<CheckIcon size="s" />}
            busy={fetcher.state !== "idle"}
            busyText="Guardando…"
          >
            Marcar como atendido<span className="sr">: el mensaje de {message.name}</span>
          </Button>
        </fetcher.Form>
      )}
    </article>
  );
}
