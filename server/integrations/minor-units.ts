import { z } from "zod";

/**
 * A decimal as whole hundredths of a currency: "60.0" -> 6000. Null for anything but a decimal number with at most two
 * significant fraction digits.
 */
function minorUnits(decimal: string): number | null {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(2))) return null;
  const amount = Number(whole + fraction.slice(0, 2).padEnd(2, "0"));
  return sign && amount ? -amount : amount;
}

/** A decimal that a provider sends as a string or a JSON number, in hundredths; never calculated with as a fraction. */
export const Decimal = z.union([z.string(), z.number()]).transform((value, issues) => {
  const amount = minorUnits(String(value));
  if (amount === null) issues.addIssue({ code: "custom", message: "is no amount of money" });
  return amount ?? z.NEVER;
});
