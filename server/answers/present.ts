import type { PsychologistCardView, ReplyView } from "#shared/answers.ts";
import { minuteOf } from "#shared/time.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { whyCannotVoteOnAnswer } from "./rules.ts";
import type { AnswerRow, OwnReplyRow, ReplyRow, reactionsTo } from "./store.ts";

/** Adapts a row with a psychologist's card. The contract strips its other columns. */
export const presentPsychologistCard = <Row extends Omit<PsychologistCardView, "id">>(id: string, row: Row) => ({
  ...row,
  id,
  // "Otra" carries no information.
  specialty: row.specialty === "Otra" ? null : row.specialty,
});

/** Maps replies to views, with the rights to the viewer's own. The views never contain an author. */
export function presentReplies(replies: OwnReplyRow[], own: OwnReplyRow[]): ReplyView[] {
  const ownIds = new Set(own.map(({ id }) => id));
  return replies.map(({ id, content, created_at, edited_at }) => ({
    id,
    content,
    created_at: minuteOf(created_at),
    edited_at: edited_at && minuteOf(edited_at),
    viewer: { mine: ownIds.has(id) },
  }));
}

/**
 * Adapts answers with a page of their replies. The contract strips the other columns.
 * @param cursorAfter returns the cursor after an answer's replies, or null
 */
export function presentAnswers(
  answers: AnswerRow[],
  replies: ReplyRow[],
  cursorAfter: (replies: ReplyRow[]) => string | null,
  reactions: Awaited<ReturnType<typeof reactionsTo>>,
  own: OwnReplyRow[],
  viewer: Viewer | null,
) {
  const repliesByAnswer = Map.groupBy(replies, (reply) => reply.response_id);
  const reactionByAnswer = new Map(reactions.map((reaction) => [reaction.id, reaction]));
  const ownByAnswer = Map.groupBy(own, (reply) => reply.response_id);
  return answers.map((answer) => {
    const reaction = reactionByAnswer.get(answer.id);
    const shown = repliesByAnswer.get(answer.id) ?? [];
    const last = shown.at(-1);
    const ownLater = last ? (ownByAnswer.get(answer.id) ?? []).filter((reply) => isAfter(reply, last)) : [];
    const mine = viewer?.id === answer.psychologist_id;
    return {
      ...answer,
      psychologist: presentPsychologistCard(answer.psychologist_id, answer),
      replies: presentReplies(shown, own),
      next_replies_cursor: cursorAfter(shown),
      viewer: {
        vote: reaction?.vote ?? null,
        thanked: reaction?.thanked ?? false,
        thanks: mine ? (reaction?.thanks ?? 0) : null,
        replies: presentReplies(ownLater, own),
        mine,
        can: { vote: whyCannotVoteOnAnswer(viewer, answer) === null },
      },
    };
  });
}

type Place = { id: string; created_at: Date };

/** True if a reply is after another one in their order. */
const isAfter = (one: Place, other: Place) => {
  const later = one.created_at.getTime() - other.created_at.getTime();
  return later > 0 || (later === 0 && one.id > other.id);
};
