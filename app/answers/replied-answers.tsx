import { href, Link } from "react-router";
import { pluralize } from "#app/lib/format.ts";
import { ForwardIcon, TalkIcon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { RepliedAnswerView } from "#shared/answers.ts";
import "./replied-answers.css";

export function RepliedAnswers({ answers }: { answers: RepliedAnswerView[] }) {
  if (answers.length === 0) return null;
  return (
    <Panel title="Han comentado tus respuestas" className="own-profile__part replied-answers">
      <ul>
        {answers.map(({ id, new_replies, first_new_reply: reply, consultation }) => (
          <li key={id}>
            <Link to={`${href("/consulta/:id", { id: consultation.id })}?comentario=${reply}#comentario-${reply}`}>
              <TalkIcon />
              <span>{consultation.title}</span>
              <span className="badge new-answers-badge">
                {pluralize(new_replies, "comentario nuevo", "comentarios nuevos")}
              </span>
              <ForwardIcon size="s" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
