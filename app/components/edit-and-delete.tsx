import { type ReactNode, useRef, useState } from "react";
import { href, useFetcher } from "react-router";
import { resolveMessage } from "#app/lib/client-error-messages.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { FormPage } from "#app/ui/form-page.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { QuickExit } from "#app/ui/quick-exit.tsx";
import { LIMITS } from "#shared/limits.ts";
import { ActionForm, FormError, SubmitButton, useForm } from "./action-form.tsx";
import "./edit-and-delete.css";

export const REMOVAL_WARNING = `Se borran también sus respuestas, comentarios y votos. Puedes deshacerlo durante ${LIMITS.undoSeconds} segundos. Si contaba en la semana de quien la escribió, esa persona podrá publicar otra.`;

type DeletionTexts = {
  page: "/consulta/:id/eliminar" | "/respuesta/:id/eliminar" | "/comentario/:id/eliminar" | "/psicologo/:id/resena";
  /** Fragment of the form, and its intent, on a page with several forms. */
  hash?: string;
  intent?: string;
  title: string;
  text: string;
  what: string;
};

/** "removal" is an administrator deleting another user's consultation. */
const DELETIONS: Record<"consultation" | "removal" | "answer" | "reply" | "review", DeletionTexts> = {
  consultation: {
    page: "/consulta/:id/eliminar",
    title: "¿Eliminar tu consulta?",
    text: "Se borran también sus respuestas, comentarios y votos. No se puede deshacer, y la consulta de esta semana no se recupera.",
    what: "tu consulta",
  },
  removal: {
    page: "/consulta/:id/eliminar",
    title: "¿Eliminar esta consulta?",
    text: REMOVAL_WARNING,
    what: "la consulta",
  },
  answer: {
    page: "/respuesta/:id/eliminar",
    title: "¿Eliminar tu respuesta?",
    text: "Se borran también sus comentarios y votos. No se puede deshacer, y si has usado una respuesta gratuita, no se recupera.",
    what: "tu respuesta",
  },
  reply: {
    page: "/comentario/:id/eliminar",
    title: "¿Eliminar tu comentario?",
    text: "No se puede deshacer.",
    what: "tu comentario",
  },
  /** `id` is the psychologist's. */
  review: {
    page: "/psicologo/:id/resena",
    hash: "#eliminar",
    intent: "delete",
    title: "¿Eliminar tu reseña?",
    text: "Se borra tu calificación con su texto, y el promedio se calcula de nuevo. No se puede deshacer.",
    what: "tu reseña",
  },
};

export const REVIEW_DELETION = DELETIONS.review;

type EditControlProps = { page: string; what: string; children: (close: () => void) => ReactNode };

/** Button that expands a form. Without JavaScript it links to the page with the form. */
export function EditControl({ page, what, children }: EditControlProps) {
  // A closed form still contains its unsaved text.
  const [state, setState] = useState<"unused" | "open" | "closed">("unused");
  const open = state === "open";
  const button = useRef<HTMLAnchorElement>(null);
  const close = () => {
    button.current?.focus();
    setState("unused");
  };
  return (
    <>
      <ButtonLink
        ref={button}
        to={page}
        variant="quiet"
        small
        icon={<Icon name="edit" size="s" />}
        aria-expanded={open}
        onClick={handleInPage(() => setState(open ? "closed" : "open"))}
      >
        Editar<span className="visually-hidden"> {what}</span>
      </ButtonLink>
      {state !== "unused" && (
        <div className="editing" hidden={!open}>
          {children(close)}
        </div>
      )}
    </>
  );
}

export const EditPage = ({ title, back, children }: { title: string; back: string; children: ReactNode }) => (
  <FormPage title={title} back={{ to: back, label: "Volver a la consulta" }}>
    <div className="panel thread__part">{children}</div>
  </FormPage>
);

interface DeletionProps {
  kind: keyof typeof DELETIONS;
  /** Version of the shown item, only for a removal. */
  version?: string;
}

/** Button that opens a confirmation dialog. Without JavaScript it links to the confirmation page. */
export function DeleteControl({ kind, id, version, label }: DeletionProps & { id: string; label?: string }) {
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  const { error } = useForm(fetcher.data, { toast: true });
  const changed = error?.code === "version_conflict" && resolveMessage(error);
  const { hash = "", intent, title, text, what } = DELETIONS[kind];
  const page = href(DELETIONS[kind].page, { id });
  return (
    <>
      <ButtonLink
        to={page + hash}
        variant="quiet"
        small
        icon={<Icon name="trash" size="s" />}
        aria-haspopup="dialog"
        onClick={handleInPage(() => setAsking(true))}
      >
        {label ?? (
          <>
            Eliminar<span className="visually-hidden"> {what}</span>
          </>
        )}
      </ButtonLink>
      {asking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={title}
          beside={<QuickExit />}
          action={
            <ActionForm fetcher={fetcher} action={page} fields={{ version, intent }}>
              <SubmitButton variant="danger" wide busyText="Eliminando…">
                Eliminar
              </SubmitButton>
            </ActionForm>
          }
        >
          {changed && (
            <FormMessage key={version} title={changed.title} className="deletion__changed">
              {changed.description}
            </FormMessage>
          )}
          <p>{text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type DeletePageProps = DeletionProps & { back: string; quote: string; response: unknown };

export function DeletePage({ kind, back, quote, version, response }: DeletePageProps) {
  const { title, text } = DELETIONS[kind];
  return (
    <CenteredPage title={title} illustration="box" before={<BackLink to={back}>Volver a la consulta</BackLink>} card>
      <FormError form={useForm(response)} />
      <blockquote className="text-muted clamped">{quote}</blockquote>
      <p>{text}</p>
      <ActionForm fields={{ version }} className="row">
        <ButtonLink to={back} variant="quiet">
          Cancelar
        </ButtonLink>
        <SubmitButton variant="danger" busyText="Eliminando…">
          Eliminar
        </SubmitButton>
      </ActionForm>
    </CenteredPage>
  );
}
