import type { Country } from "#shared/countries.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { LICENCE_NAMES } from "#shared/licences.ts";
import { internationalPhone, whatsappNumber } from "../accounts/profile/phone-rules.ts";
import type { Viewer } from "../sessions/viewer.ts";

const letters = (text: string) => text.toLocaleLowerCase("es").replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Returns the text of the licence badge (specification, section 5.6).
 *
 * In Argentina, or without a country, "MP " precedes the number unless it begins with MP or MN. In other countries the
 * national term precedes it, unless the number contains it.
 */
export function licenceBadge(number: string, country: string | null): string {
  if (country === null || country === "Argentina") return /^M[PN]/i.test(number) ? number : `MP ${number}`;
  const name = LICENCE_NAMES[country as Country];
  return letters(number).startsWith(letters(name)) ? number : `${name} ${number}`;
}

/**
 * Returns the link to a website.
 * @returns null if the URL is not http or contains a user name, which can disguise the host
 */
export function websiteLink(website: string | null): { href: string; label: string } | null {
  const parsed = website === null ? null : URL.parse(website);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return null;
  return { href: parsed.href, label: parsed.hostname.replace(/^www\./, "") };
}

const phoneDigits = (number: string) => number.replace(/[^0-9]/g, "");

/** Returns the tel: link of a number, or null without digits. A number without a country code belongs to `country`. */
export function phoneLink(number: string | null, country: string | null): string | null {
  const known = internationalPhone(number ?? "", country);
  const digits = phoneDigits(known ?? number ?? "");
  return digits ? `tel:${known ? "+" : ""}${digits}` : null;
}

/**
 * Returns the URL of a WhatsApp chat, with only the digits of the number including the country code.
 * @returns null if the country code is unknown, because the chat could be with the wrong person
 */
export function whatsappLink(number: string | null, country: string | null): string | null {
  const known = whatsappNumber(number ?? "", country);
  return known && `https://wa.me/${phoneDigits(known)}`;
}

/** Returns why the viewer may not read a profile's statistics, or null. Only the owner may, while Gold is active. */
export function whyCannotSeeStatistics(
  viewer: Pick<Viewer, "id" | "has_gold"> | null,
  psychologistId: string,
): ErrorCode | null {
  if (!viewer) return "sign_in_required";
  if (viewer.id !== psychologistId) return "statistics_private";
  return viewer.has_gold ? null : "gold_required";
}
