import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { line, moment, oneOf } from "./text.ts";

/** A code of the application, or a recovery code. */
export const CodeInput = z.strictObject({ code: line({ min: 1, max: LIMITS.code.max }) });

/** The user's own second factor (specification, section 2, "Account"). */
export const SecondFactorView = z.object({
  state: oneOf(["off", "being_set_up", "on"]),
  since: moment.nullable(),
  recovery_codes_left: z.number(),
  /** What an application needs; only while it is set up. */
  setup: z
    .object({
      secret: z.string(),
      /** The same as an otpauth address. */
      address: z.string(),
      /** The same as a QR code: one SVG path on a square of this many units. */
      qr: z.object({ size: z.number(), path: z.string() }),
    })
    .nullable(),
});
export type SecondFactorView = z.infer<typeof SecondFactorView>;

/** Shown only now. */
export const RecoveryCodesView = z.object({ recovery_codes: z.array(z.string()) });
