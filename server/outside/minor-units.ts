import { z } from "zod";

/** Hundredths of a currency as a whole number: "60.0" -> 6000. Null for what is no decimal number of so few digits. */
export function minorUnits(decimal: string): number | null {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(2))) return null;
  const amount = Number(whole + fraction.slice(0, 2).padEnd(2, "0"));
  return sign && amount ? -amount : amount;
}

/** A decimal that a service writes as text or as a JSON number, read as hundredths; never calculated with as a fraction. */
export const Decimal = z.union([z.string(), z.number()]).transform((value, issues) => {
  const amount = minorUnits(String(value));
  if (amount === null) issues.addIssue({ code: "custom", message: "is no amount of money" });
  return amount ?? z.NEVER;
});
