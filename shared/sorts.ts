/** Sort orders of lists (specification, sections 2.3 and 2.6). Imports no zod, because pages use them. */

export const CONSULTATION_SORTS = ["recent", "oldest", "votes", "responses", "unanswered"] as const;
export type ConsultationSort = (typeof CONSULTATION_SORTS)[number];

export const ANSWER_SORTS = ["recent", "oldest", "votes"] as const;
export type AnswerSort = (typeof ANSWER_SORTS)[number];
