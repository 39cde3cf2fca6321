import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { DoneView, emptyInput, operation } from "./operation.ts";
import { SessionView } from "./sign-in.ts";
import { isoDateTime, oneOf, singleLine } from "./text.ts";

const CodeInput = z.strictObject({ code: singleLine({ min: 1, max: LIMITS.code.max }) });

/** The user's own second factor (specification, section 2, "Account"). */
export const SecondFactorView = z.object({
  state: oneOf(["off", "being_set_up", "on"]),
  since: isoDateTime.nullable(),
  recovery_codes_left: z.number(),
  /** Data for an application; only during the setup. */
  setup: z
    .object({
      secret: z.string(),
      /** The same as an otpauth URL. */
      address: z.string(),
      /** The same as a QR code: one SVG path on a square of `size` units. */
      qr: z.object({ size: z.number(), path: z.string() }),
    })
    .nullable(),
});
export type SecondFactorView = z.infer<typeof SecondFactorView>;

/** Recovery codes. The page shows them only once. */
const RecoveryCodesView = z.object({ recovery_codes: z.array(z.string()) });

export const secondFactorOperations = {
  read: operation("GET /account/second-factor", "State of the second factor")
    .input(emptyInput)
    .output(SecondFactorView),
  begin: operation("POST /account/second-factor", "Begin to set up a second factor")
    .input(emptyInput)
    .output(SecondFactorView),
  confirm: operation("PUT /account/second-factor", "Turn the second factor on with its first code")
    .input(CodeInput)
    .output(RecoveryCodesView),
  remove: operation("DELETE /account/second-factor", "Turn the second factor off").input(emptyInput).output(DoneView),
  renewCodes: operation(
    "POST /account/second-factor/recovery-codes",
    "Make new recovery codes in place of the older ones",
  )
    .input(emptyInput)
    .output(RecoveryCodesView),
  signIn: operation("POST /session/second-factor", "The second step of signing in")
    .input(CodeInput)
    .output(SessionView),
};
