import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { DoneView, operation } from "./operation.ts";
import { SessionView } from "./sign-in.ts";
import { isoDateTime, oneOf, singleLine } from "./text.ts";

const CodeInput = z.strictObject({ code: singleLine({ min: 1, max: LIMITS.code.max }) });

export const SecondFactorView = z.object({
  state: oneOf(["off", "being_set_up", "on"]),
  since: isoDateTime.nullable(),
  recovery_codes_left: z.number(),
  /** Null except during the setup. */
  setup: z
    .object({
      secret: z.string(),
      /** The secret as an otpauth URL, and as a QR code: one SVG path on a square of `size` units. */
      address: z.string(),
      qr: z.object({ size: z.number(), path: z.string() }),
    })
    .nullable(),
});
export type SecondFactorView = z.infer<typeof SecondFactorView>;

/** The page shows them only once. */
const RecoveryCodesView = z.object({ recovery_codes: z.array(z.string()) });

export const secondFactorOperations = {
  read: operation("GET /account/second-factor", "State of the second factor").output(SecondFactorView),
  begin: operation("POST /account/second-factor", "Begin to set up a second factor").output(SecondFactorView),
  confirm: operation("PUT /account/second-factor", "Turn the second factor on with its first code")
    .input(CodeInput)
    .output(RecoveryCodesView),
  remove: operation("DELETE /account/second-factor", "Turn the second factor off").output(DoneView),
  renewCodes: operation(
    "POST /account/second-factor/recovery-codes",
    "Make new recovery codes in place of the older ones",
  ).output(RecoveryCodesView),
  signIn: operation("POST /session/second-factor", "The second step of signing in")
    .input(CodeInput)
    .output(SessionView),
};
