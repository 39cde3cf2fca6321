import { z } from "zod";
import { VOTES } from "./lists.ts";
import { id, oneOf } from "./text.ts";

export const MyVote = oneOf(["up", "down"]).nullable();

export const VoteInput = z.strictObject({ id, vote: oneOf(VOTES) });

export const VoteResultView = z.object({ upvotes: z.number(), downvotes: z.number(), vote: MyVote });
