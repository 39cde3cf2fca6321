import { api, signedIn } from "../routes.ts";
import { answer, reply, voteOnAnswer } from "./commands.ts";

const { answers } = api;

export const answerRoutes = answers.router({
  create: answers.create.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_answer");
    await request.context.rateLimits.spend("answer", { address: request.address, person: viewer.id });
    return answer(request.context, viewer, input.id, input.content);
  }),

  vote: answers.vote.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_vote");
    await request.context.rateLimits.spend("vote", { address: request.address, person: viewer.id });
    const counted = await voteOnAnswer(request.context, viewer, input.id, input.vote);
    return { ...counted, vote: input.vote === "none" ? null : input.vote };
  }),

  reply: answers.reply.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_reply");
    await request.context.rateLimits.spend("reply", { address: request.address, person: viewer.id });
    return reply(request.context, viewer, input.id, input.content);
  }),
});
