import { z } from "zod";
import { operation } from "./operation.ts";
import { id, isoDateTime } from "./text.ts";

export const demoOperations = {
  mails: operation("GET /demo/mails", "Mails stored by the demo").output(
    z.array(z.object({ id, to: z.string(), subject: z.string(), text: z.string(), created_at: isoDateTime })),
  ),
};
