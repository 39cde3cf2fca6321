import type { AnswerView, PsychologistCardView } from "#shared/answers.ts";
import type { Viewer } from "../accounts/rules.ts";
import { whyCannotChangeAnswer, whyCannotChangeReply, whyCannotVoteOnAnswer } from "./rules.ts";
import type { AnswerRow, ReplyRow } from "./store.ts";

type CardRow = {
  full_name: string;
  avatar_url: string | null;
  specialty: string | null;
  is_verified: boolean;
  has_gold: boolean;
  rating: number | null;
  total_reviews: number;
  total_responses: number;
};

export const presentPsychologistCard = (id: string, row: CardRow): PsychologistCardView => ({
  id,
  full_name: row.full_name,
  avatar_url: row.avatar_url,
  specialty: row.specialty,
  is_verified: row.is_verified,
  has_gold: row.has_gold,
  rating: row.rating,
  total_reviews: row.total_reviews,
  total_responses: row.total_responses,
});

/** Answers with their replies; replies carry nothing of who wrote them. */
export function presentAnswers(
  answers: AnswerRow[],
  replies: ReplyRow[],
  votes: { response_id: string; vote_type: string }[],
  ownReplies: { id: string; user_id: string | null }[],
  viewer: Viewer | null,
): AnswerView[] {
  const repliesByAnswer = Map.groupBy(replies, (reply) => reply.response_id);
  const voteByAnswer = new Map(votes.map((vote) => [vote.response_id, vote.vote_type as "up" | "down"]));
  const authorOfOwn = new Map(ownReplies.map((reply) => [reply.id, reply]));
  const mayChange = (id: string) => whyCannotChangeReply(viewer, authorOfOwn.get(id) ?? { user_id: null }) === null;
  return answers.map((answer) => ({
    id: answer.id,
    content: answer.content,
    created_at: answer.created_at.toISOString(),
    edited_at: answer.edited_at?.toISOString() ?? null,
    upvotes: answer.upvotes,
    downvotes: answer.downvotes,
    psychologist: presentPsychologistCard(answer.psychologist_id, answer),
    replies: (repliesByAnswer.get(answer.id) ?? []).map((reply) => ({
      id: reply.id,
      content: reply.content,
      created_at: reply.created_at.toISOString(),
      edited_at: reply.edited_at?.toISOString() ?? null,
      viewer: { can: { edit: mayChange(reply.id), delete: mayChange(reply.id) } },
    })),
    viewer: {
      vote: voteByAnswer.get(answer.id) ?? null,
      can: {
        vote: whyCannotVoteOnAnswer(viewer, answer) === null,
        edit: whyCannotChangeAnswer(viewer, answer) === null,
        delete: whyCannotChangeAnswer(viewer, answer) === null,
      },
    },
  }));
}
