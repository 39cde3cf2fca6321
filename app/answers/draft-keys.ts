/* The keys of the drafts of answers and replies (`app/lib/drafts.ts`). */

export const answerDraft = (consultationId: string) => `answer:${consultationId}`;

export const REPLY_DRAFTS = "reply:";

export const replyDraft = (answerId: string) => `${REPLY_DRAFTS}${answerId}`;
