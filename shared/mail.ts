import { z } from "zod";
import { none, operation } from "./operation.ts";
import { id, moment } from "./text.ts";

/** A mail stored by the demo, shown at /correo. */
const KeptMailView = z.object({ id, to: z.string(), subject: z.string(), text: z.string(), created_at: moment });
export type KeptMailView = z.infer<typeof KeptMailView>;

export const demoOperations = {
  mails: operation({ method: "GET", path: "/demo/mails", summary: "Mails kept by the demo" })
    .input(none)
    .output(z.array(KeptMailView)),
};
