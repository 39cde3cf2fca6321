import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { DeleteControl, EditControl } from "#app/components/edit-and-delete.tsx";
import { ForAuthor } from "#app/components/for-author.tsx";
import { MoreItems } from "#app/components/more-items.tsx";
import { usePagedList } from "#app/lib/paged-list.ts";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AnswerView, ReplyView } from "#shared/answers.ts";
import { EditTextForm } from "./text-form.tsx";

export type ConsultationPath = (parameters: Record<string, string>, place: string) => string;

type RepliesProps = { answer: AnswerView; address: ConsultationPath; fromStart: boolean; children: ReactNode };

/** The viewer's newest replies appear even before their page is loaded. */
export function Replies({ answer, address, fromStart, children }: RepliesProps) {
  const { id, psychologist, reply_count, next_replies_cursor } = answer;
  const list = usePagedList<ReplyView>(
    { items: answer.replies, next_cursor: next_replies_cursor },
    (cursor) => `/api/answers/${id}/replies?cursor=${cursor}`,
    { name: id, reloads: true },
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
        <Reply key={reply.id} reply={reply} />
      ))}
      <MoreItems
        list={list}
        to={(cursor) => address({ respuesta: id, comentarios: cursor }, `respuesta-${id}`)}
        failed="No se pudieron cargar más comentarios."
        inThread={{
          label: (
            <>
              Ver más comentarios
              <span className="visually-hidden">{` a la respuesta de ${psychologist.full_name}`}</span>
            </>
          ),
          count: fromStart && `${list.items.length} de ${reply_count}`,
          elementId: replyElement,
        }}
      />
      {own.length > 0 && list.next !== null && <p className="faint">Lo último que has escrito aquí:</p>}
      {own.map((reply) => (
        <Reply key={reply.id} reply={reply} />
      ))}
      {children}
    </div>
  );
}

const replyElement = ({ id }: { id: string }) => `comentario-${id}`;

function Reply({ reply }: { reply: ReplyView }) {
  return (
    <div id={replyElement(reply)} tabIndex={-1} className="reply">
      <p className="meta">
        <b>Usuario</b>
        <RelativeTime datetime={reply.created_at} />
        {reply.edited_at && <span>editado</span>}
      </p>
      <PlainText text={reply.content} />
      <ForAuthor mine={reply.viewer.mine} className="row reply__actions">
        <EditControl page={href("/comentario/:id/editar", { id: reply.id })} what="tu comentario">
          {(close) => <EditTextForm kind="reply" id={reply.id} value={reply.content} onSent={close} />}
        </EditControl>
        <DeleteControl kind="reply" id={reply.id} />
      </ForAuthor>
    </div>
  );
}
