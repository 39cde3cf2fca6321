import { z } from "zod";
import { id, oneOf } from "./text.ts";

/** Values of a vote. The interface toggles, but the API sets, so that a repeated request changes nothing. */
const VOTES = ["up", "down", "none"] as const;
export type Vote = (typeof VOTES)[number];

const castVote = oneOf(["up", "down"]);
export type CastVote = z.infer<typeof castVote>;

export const myVote = castVote.nullable();

export const VoteInput = z.strictObject({ id, vote: oneOf(VOTES) });

export const VoteResultView = z.object({ upvotes: z.number(), downvotes: z.number(), vote: myVote });
export type VoteResultView = z.infer<typeof VoteResultView>;
