import { z } from "zod";
import { emptyInput, operation } from "./operation.ts";
import { id, isoDateTime } from "./text.ts";

/** A mail stored by the demo, shown at /correo. */
const DemoMailView = z.object({ id, to: z.string(), subject: z.string(), text: z.string(), created_at: isoDateTime });

export const demoOperations = {
  mails: operation("GET /demo/mails", "Mails stored by the demo").input(emptyInput).output(z.array(DemoMailView)),
};
