/** In which orders lists are shown (specification, section 9.4). No zod here: pages use them. */

export const CONSULTATION_SORTS = ["recent", "oldest", "votes", "responses"] as const;
export type ConsultationSort = (typeof CONSULTATION_SORTS)[number];

export const ANSWER_SORTS = ["recent", "oldest", "votes"] as const;
export type AnswerSort = (typeof ANSWER_SORTS)[number];
