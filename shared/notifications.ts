import { z } from "zod";
import { id, moment } from "./text.ts";

/** A mail kept by the demo, to be read at /correo. */
export const KeptMailView = z.object({ id, to: z.string(), subject: z.string(), text: z.string(), created_at: moment });
export type KeptMailView = z.infer<typeof KeptMailView>;
