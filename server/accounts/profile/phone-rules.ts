import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js";
import type { Country } from "#shared/countries.ts";

/** Each country's ISO code, and an example number in local and international form. */
const COUNTRIES: Record<Country, { code: CountryCode; national: string; international: string }> = {
  Argentina: { code: "AR", national: "11 2345 6789", international: "+54 9 11 2345 6789" },
  México: { code: "MX", national: "55 1234 5678", international: "+52 55 1234 5678" },
  España: { code: "ES", national: "612 34 56 78", international: "+34 612 34 56 78" },
  Colombia: { code: "CO", national: "321 123 4567", international: "+57 321 123 4567" },
  Chile: { code: "CL", national: "9 6123 4567", international: "+56 9 6123 4567" },
  Perú: { code: "PE", national: "912 345 678", international: "+51 912 345 678" },
  Venezuela: { code: "VE", national: "0412-1234567", international: "+58 412 1234567" },
  Paraguay: { code: "PY", national: "0961 456789", international: "+595 961 456789" },
  Uruguay: { code: "UY", national: "094 231 234", international: "+598 94 231 234" },
  Ecuador: { code: "EC", national: "099 123 4567", international: "+593 99 123 4567" },
  Panamá: { code: "PA", national: "6123-4567", international: "+507 6123 4567" },
};

/** Returns a country of our list, or undefined if none is given. */
const known = (country: string | null | undefined) =>
  COUNTRIES[country as Country] as (typeof COUNTRIES)[Country] | undefined;

/** Mexico's former mobile prefix, a 1 after the country code. Many users still type it, but it does not work. */
const OLD_MEXICAN_MOBILE = /^\s*(?:\+|00)?\s*52[\s().-]*1(?=(?:[\s().-]*\d){10}\s*$)/;

function possible(typed: string, country?: CountryCode) {
  const number = parsePhoneNumberFromString(typed.replace(OLD_MEXICAN_MOBILE, "+52 "), country);
  return number?.isPossible() ? number : null;
}

/**
 * Returns a phone number in international form ("+598 94 231 234"), which works for calls and WhatsApp from every
 * country (specification, section 5).
 * @param typed as the user typed it, with or without a country code
 * @param country the profile's country, used for a number without a country code
 * @returns null if the country is unknown or has no numbers like this
 */
export function internationalPhone(typed: string, country: string | null | undefined): string | null {
  const digits = typed.replace(/\D/g, "");
  const number = typed.trim().startsWith("+")
    ? possible(typed)
    : // Users also type a country code without "+" or after "00".
      (possible(typed, known(country)?.code) ??
      (digits.startsWith("00") ? possible(`+${digits.slice(2)}`) : digits.length > 10 ? possible(`+${digits}`) : null));
  return number?.formatInternational() ?? null;
}

/** Returns the international form for WhatsApp, which adds a 9 to mobile numbers of Argentina. */
export function whatsappNumber(typed: string, country: string | null | undefined): string | null {
  const number = internationalPhone(typed, country);
  return number && /^\+54 [^9]/.test(number)
    ? (internationalPhone(number.replace("+54", "+54 9"), country) ?? number)
    : number;
}

/** Returns the Spanish error of a phone number, or null if it is valid. */
export function phoneError(typed: string, country: string | null | undefined): string | null {
  if (internationalPhone(typed, country)) return null;
  const example = known(country);
  if (example)
    return `Ese número no existe en ${country}. Escríbelo como ${example.national} o, si es de otro país, con su código, como ${example.international}.`;
  if (!typed.trim().startsWith("+") && Object.values(COUNTRIES).some(({ code }) => possible(typed, code)))
    return "Falta el país: elígelo arriba, o escribe el número con su código, como +598 94 231 234.";
  return "Ese número no existe. Escríbelo con el código de país, como +598 94 231 234.";
}

/** Returns the stored form of a phone number: international if its country is known, otherwise as typed. */
export const normalisePhone = (typed: string | undefined, country: string | null | undefined): string | null =>
  typed === undefined ? null : (internationalPhone(typed, country) ?? typed);
