import { z } from "zod";

import { id, oneOf } from "./text.ts";

/** What a vote can be set to. The interface toggles; the API sets, so that a repeated request changes nothing. */
const VOTES = ["up", "down", "none"] as const;
export type Vote = (typeof VOTES)[number];
/** A vote that counts. */
export type CastVote = Exclude<Vote, "none">;

export const MyVote = oneOf(["up", "down"]).nullable();

export const VoteInput = z.strictObject({ id, vote: oneOf(VOTES) });

export const VoteResultView = z.object({ upvotes: z.number(), downvotes: z.number(), vote: MyVote });
export type VoteResultView = z.infer<typeof VoteResultView>;
