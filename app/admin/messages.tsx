import { useFetcher, useOutletContext } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { GoldBadge } from "#app/components/badges.tsx";
import { type FailureHandle, outage } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pluralize } from "#app/lib/format.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AdminSummaryView } from "#shared/admin.ts";
import type { ContactMessageView } from "#shared/contact.ts";
import type { Route } from "./+types/messages.ts";
import { type FailedDecision, ListHeader, MailLink, mailHref, useDecisions, VersionConflict } from "./parts.tsx";
import { decide, loadSection } from "./section.server.ts";

export const handle: FailureHandle = { failed: { load: outage("No se pudieron cargar los mensajes") } };

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api, orNull }) => ({ inbox: await orNull(api.inbox.read({})) }));

export const action = formAction({
  handle: decide("message_handled", ({ api, input }) => api.inbox.handle(input("id", "version"))),
});

export const shouldRevalidate = reloadAfterConflict;

export default function Messages({ loaderData: { inbox }, actionData }: Route.ComponentProps) {
  const { messages } = useOutletContext<AdminSummaryView>();
  const { failedOf, refusal } = useDecisions(actionData, inbox?.waiting ?? []);
  if (!inbox) return <ErrorState title="No se pudieron cargar los mensajes" />;
  const { waiting, handled } = inbox;
  return (
    <>
      {refusal}
      <section aria-labelledby="inbox">
        <ListHeader id="inbox" title="Mensajes">
          {messages === 0
            ? "Se responden desde tu correo."
            : `${pluralize(messages, "mensaje espera", "mensajes esperan")}. Gold aparece primero; después, el más antiguo. Se responden desde tu correo.`}
        </ListHeader>
        <div className="rows admin-list">
          {waiting.length === 0 && (
            <EmptyState title="No hay mensajes sin atender.">Lo que llegue por Contacto aparecerá aquí.</EmptyState>
          )}
          {waiting.map((message) => (
            <Message key={message.id} message={message} failed={failedOf(message.id)} />
          ))}
        </div>
        {handled.length > 0 && (
          <details className="admin-group">
            <summary>
              <Icon name="chevron-down" size="s" className="turns" />
              Últimos mensajes atendidos <span className="faint">{handled.length}</span>
            </summary>
            <div className="rows admin-list">
              {handled.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </div>
          </details>
        )}
      </section>
    </>
  );
}

function Message({ message, failed = null }: { message: ContactMessageView; failed?: FailedDecision | null }) {
  const fetcher = useFetcher();
  const heading = `message-${message.id}`;
  return (
    <article id={`d-${message.id}`} className="rows admin-row has-wide-text" aria-labelledby={heading}>
      <VersionConflict failed={failed} />
      <FormError form={useForm(fetcher.data, { toast: true })} />
      <div className="admin-row__person without-avatar">
        <div>
          <h3 id={heading} className="title-s">
            {message.name}
          </h3>
          {message.from_gold && (
            <p className="admin-row__badges">
              <GoldBadge />
            </p>
          )}
          <p>
            <MailLink email={message.email} />
          </p>
          <p className="text-muted small admin-row__details">
            <RelativeTime datetime={message.created_at} />
            {message.handled_at && (
              <span>
                Atendido <RelativeTime datetime={message.handled_at} />
              </span>
            )}
          </p>
          <div className="small admin-row__text is-message">
            <PlainText text={message.message} className="prose" />
          </div>
        </div>
      </div>
      {!message.handled_at && (
        <div className="decision-buttons">
          <a className="button button--small decision-buttons__approve" href={mailHref(message.email)}>
            <Icon name="reply" size="s" />
            Responder<span className="visually-hidden"> a {message.name}</span>
          </a>
          <ActionForm fetcher={fetcher} fields={{ intent: "handle", id: message.id, version: message.version }}>
            <SubmitButton variant="quiet" small busyText="Guardando…">
              Marcar como atendido<span className="visually-hidden">: el mensaje de {message.name}</span>
            </SubmitButton>
          </ActionForm>
        </div>
      )}
    </article>
  );
}
