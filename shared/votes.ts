import { z } from "zod";
import { id, oneOf } from "./text.ts";

/** What a vote can be set to. The interface toggles; the API sets, so that a repeated request changes nothing. */
const VOTES = ["up", "down", "none"] as const;
export type Vote = (typeof VOTES)[number];

/** A vote that counts. */
export const castVote = oneOf(["up", "down"]);
export type CastVote = z.infer<typeof castVote>;

/** The viewer's own vote, if there is one. */
export const myVote = castVote.nullable();

export const VoteInput = z.strictObject({ id, vote: oneOf(VOTES) });

export const VoteResultView = z.object({ upvotes: z.number(), downvotes: z.number(), vote: myVote });
export type VoteResultView = z.infer<typeof VoteResultView>;
