import { lazy, Suspense } from "react";
import { href } from "react-router";
import { DeleteControl, EditControl } from "#app/components/edit-and-delete.tsx";
import { ForAuthor } from "#app/components/for-author.tsx";
import { VoteButtons } from "#app/components/vote-buttons.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { ConsultationDetailView, ConsultationView } from "#shared/consultations.ts";
import { tintOf } from "#shared/tint.ts";
import { consultationFormValues } from "./consultation-fields.ts";
import "./share-control.css";

/** Only authors load it. If that fails, its page opens: the browser can retry that. */
const ConsultationForm = lazy(() =>
  import("./consultation-form.tsx").catch(() => {
    location.assign(`${location.pathname}/editar`);
    return new Promise<never>(() => {});
  }),
);

export function ConsultationBody({ detail, publicUrl }: { detail: ConsultationDetailView; publicUrl: string }) {
  const { consultation, viewer } = detail;
  const { id, title, content, country, category, is_anonymous, author_label } = consultation;
  return (
    <article className={`question tint-${tintOf(id)}`}>
      <p className="meta">
        {category && <span className="category">{category}</span>}
        <span>{country}</span>
        <RelativeTime datetime={consultation.created_at} />
        {consultation.edited_at && <span>editado</span>}
      </p>
      <h1 tabIndex={-1}>{title}</h1>
      <p className="text-muted small byline">
        <Avatar name={author_label} anonymous={is_anonymous} size="s" />
        <span>{author_label}</span>
      </p>
      <PlainText text={content} />
      <div className="row row--apart question__foot">
        <VoteButtons
          id="votar"
          action={href("/consulta/:id/voto", { id })}
          counts={{ upvotes: consultation.upvotes, downvotes: consultation.downvotes, vote: viewer.vote }}
          what="de la consulta"
        />
        {viewer.can.answer && (
          <a className="button button--small" href="#responder">
            Responder
          </a>
        )}
        <div className="row question__tools">
          <ShareControl consultation={consultation} publicUrl={publicUrl} mine={viewer.mine} />
          <ForAuthor mine={viewer.mine} className="row question__own">
            <EditControl page={href("/consulta/:id/editar", { id })} what="tu consulta">
              {(close) => (
                <div className="panel question__edit">
                  <Suspense fallback={<p role="status">Cargando…</p>}>
                    <ConsultationForm
                      editing={{ id, is_anonymous }}
                      values={consultationFormValues(consultation, viewer)}
                      onSaved={close}
                    />
                  </Suspense>
                </div>
              )}
            </EditControl>
            <DeleteControl kind="consultation" id={id} />
          </ForAuthor>
          {viewer.removal_version !== null && (
            <DeleteControl kind="removal" id={id} version={viewer.removal_version} label="Eliminar consulta" />
          )}
        </div>
      </div>
    </article>
  );
}

type ShareControlProps = { consultation: ConsultationView; publicUrl: string; mine: boolean };

/** Warns the author of an anonymous consultation: people who receive the link may guess who wrote it. */
function ShareControl({ consultation: { id, title, is_anonymous }, publicUrl, mine }: ShareControlProps) {
  const path = href("/consulta/:id", { id });
  const url = publicUrl + path;
  const canShare = useHydrated() && typeof navigator.share === "function";
  const ways = (
    <div className="share row">
      {/* Loads when it becomes visible. */}
      <img className="share__image" src={`/imagen${path}.png`} width={1200} height={630} alt="" loading="lazy" />
      <a
        className="button button--soft button--small"
        href={`https://wa.me/?text=${encodeURIComponent(`${title}\n${url}`)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="whats-app" size="s" />
        WhatsApp<span className="visually-hidden"> (se abre en otra pestaña)</span>
      </a>
      <CopyButton
        text={url}
        copiedToast="Enlace copiado"
        actionError={{ title: "No se ha copiado el enlace", description: `Puedes copiarlo a mano: ${url}` }}
        fallback={<span className="faint">{url}</span>}
      >
        Copiar enlace
      </CopyButton>
      {canShare && (
        <Button
          variant="soft"
          small
          icon={<Icon name="share" size="s" />}
          // Closing the share menu rejects the promise. That is not an error.
          onClick={() => void navigator.share({ title, url }).catch(() => {})}
        >
          Más opciones
        </Button>
      )}
    </div>
  );
  return (
    <details className="disclosure">
      <summary className="button button--quiet button--small">
        <Icon name="share" size="s" />
        Compartir
      </summary>
      <div className="above-3">
        {is_anonymous && (
          <ForAuthor mine={mine} className="stack stack--close">
            <p className="share-warning">
              Tu consulta es anónima, pero quien reciba el enlace de tu parte puede imaginar que la has escrito tú. Ni
              el enlace ni la imagen llevan tu nombre.
            </p>
            <details className="opens-once">
              <summary className="button button--soft button--small">Compartir de todos modos</summary>
              {mine && ways}
            </details>
          </ForAuthor>
        )}
        {!(is_anonymous && mine) && ways}
      </div>
    </details>
  );
}
