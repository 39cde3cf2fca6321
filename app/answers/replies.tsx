import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { isModifiedClick } from "#app/lib/modified-click.ts";
import { type MorePages, useMorePages } from "#app/lib/more-pages.ts";
import { DeleteControl, EditControl, EditTextForm } from "#app/parts/edit-and-delete.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ChevronDownIcon, LoaderIcon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AnswerView, ReplyView } from "#shared/answers.ts";

/** The address of a consultation's page with parameters that say where it begins, and a place on it. */
export type ConsultationAddress = (parameters: Record<string, string>, place: string) => string;

/**
 * The end of a list inside a consultation: a link to its next page, which loads it in place where JavaScript runs. The
 * focus moves to the first item that came; the page stays where it is scrolled to.
 */
export function MoreOf<Item extends { id: string }>({
  list: { items, next, state, load },
  to,
  elementId,
  label,
  failed,
  of,
  children,
}: {
  list: MorePages<Item>;
  to: (cursor: string) => string;
  /** The id of the element that shows an item. */
  elementId: (item: Item) => string;
  label: string;
  failed: string;
  /** For who hears the link without seeing where it stands. */
  of?: string;
  /** How many there are. */
  children?: ReactNode;
}) {
  const pressedAt = useRef<number | null>(null);
  useEffect(() => {
    const first = pressedAt.current === null ? undefined : items[pressedAt.current];
    if (!first) return;
    pressedAt.current = null;
    document.getElementById(elementId(first))?.focus({ preventScroll: true });
  });
  if (next === null) return null;
  const loadMore = () => {
    pressedAt.current = items.length;
    load();
  };
  const busy = state === "loading";
  return (
    <p className="row">
      {state === "failed" ? (
        <>
          <span role="alert">{failed}</span>
          <Button variant="soft" small onClick={loadMore}>
            Reintentar
          </Button>
        </>
      ) : (
        <>
          <ButtonLink
            to={to(next)}
            variant="soft"
            small
            aria-busy={busy || undefined}
            data-in-page=""
            icon={busy ? <LoaderIcon className="spin" /> : <ChevronDownIcon size="s" />}
            onClick={(event) => {
              if (isModifiedClick(event)) return;
              event.preventDefault();
              if (!busy) loadMore();
            }}
          >
            {label}
            {of && <span className="visually-hidden"> {of}</span>}
          </ButtonLink>
          <span className="faint digits">{children}</span>
        </>
      )}
    </p>
  );
}

/** The replies to an answer, oldest first, a page at a time; the viewer's own newest are there even before their page is. */
export function Replies({
  answer,
  now,
  tint,
  address,
  fromStart,
  children,
}: {
  answer: AnswerView;
  now: string;
  tint: number;
  address: ConsultationAddress;
  fromStart: boolean;
  /** The form to write one. */
  children: ReactNode;
}) {
  const { id, psychologist, reply_count, next_replies_cursor } = answer;
  const list = useMorePages<ReplyView>(
    { items: answer.replies, next_cursor: next_replies_cursor },
    (cursor) => `/api/answers/${id}/replies?cursor=${cursor}`,
    id,
  );
  const shown = new Set(list.items.map((reply) => reply.id));
  const own = answer.viewer.replies.filter((reply) => !shown.has(reply.id));
  return (
    <div className="replies">
      {!fromStart && (
        <Link className="icon-link" to={address({ respuesta: id }, `respuesta-${id}`)}>
          Ver los comentarios desde el principio
        </Link>
      )}
      {list.items.map((reply) => (
        <Reply key={reply.id} reply={reply} now={now} tint={tint} />
      ))}
      <MoreOf
        list={list}
        to={(cursor) => address({ respuesta: id, comentarios: cursor }, `respuesta-${id}`)}
        elementId={replyElement}
        label="Ver más comentarios"
        failed="No se pudieron cargar más comentarios."
        of={`a la respuesta de ${psychologist.full_name}`}
      >
        {fromStart && `${list.items.length} de ${reply_count}`}
      </MoreOf>
      {own.length > 0 && list.next !== null && <p className="faint">Lo último que has escrito aquí:</p>}
      {own.map((reply) => (
        <Reply key={reply.id} reply={reply} now={now} tint={tint} />
      ))}
      {children}
    </div>
  );
}

const replyElement = ({ id }: { id: string }) => `comentario-${id}`;

function Reply({ reply, now, tint }: { reply: ReplyView; now: string; tint: number }) {
  return (
    <div id={replyElement(reply)} tabIndex={-1} className={`reply tint-${tint}`}>
      <p className="meta">
        <b>Usuario</b>
        <RelativeTime datetime={reply.created_at} now={now} />
        {reply.edited_at && <span>editado</span>}
      </p>
      <PlainText text={reply.content} />
      {reply.viewer.can.edit && (
        <div className="row reply__actions">
          <EditControl key={reply.edited_at} what="tu comentario">
            <EditTextForm kind="reply" id={reply.id} value={reply.content} />
          </EditControl>
          {reply.viewer.can.delete && <DeleteControl kind="reply" id={reply.id} />}
        </div>
      )}
    </div>
  );
}
