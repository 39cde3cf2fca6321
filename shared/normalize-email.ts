/** The normalised email, or the Spanish error. */
export type NormalizedEmail = { address: string; problem: null } | { address: null; problem: string };

const WORDS = {
  needed: "Este dato es necesario.",
  unlike: "Escribe una dirección de correo válida, por ejemplo ana@correo.com.",
  invisible: "La dirección tiene caracteres invisibles. Bórrala y escríbela de nuevo.",
  spaces: "La dirección no puede tener espacios en medio.",
  long: "La dirección es demasiado larga: puede tener 64 caracteres antes de la @ y 254 en total.",
  dots: "Revisa los puntos de la dirección: no puede haber dos seguidos ni uno junto a la @.",
  mailbox: "Lo que va antes de la @ tiene un carácter que ningún correo acepta.",
  domain: "Revisa lo que va después de la @: debe ser como correo.com.",
};

/** Copied emails often have invisible characters at their ends. */
const ENDS = /^[\s\p{Cf}\p{DI}]+|[\s\p{Cf}\p{DI}]+$/gu;
/** Ignorable characters. UTS 46 drops them from a domain; this module drops them from a mailbox too. */
const DROPPED = /(?![\p{Bidi_C}\u200c\u200d])\p{DI}/gu;
const INVISIBLE = /[\p{Cf}\p{DI}]/u;

/** The limits of RFC 5321 are in bytes. */
const bytes = (value: string) => new TextEncoder().encode(value).length;

/** Returns the local part in one spelling. Refuses quoted local parts, because no real mailbox has one. */
function mailbox(typed: string): NormalizedEmail {
  const local = typed.replace(DROPPED, "").normalize("NFKC").toLowerCase().normalize("NFKC");
  if (INVISIBLE.test(local)) return { address: null, problem: WORDS.invisible };
  if (/^\.|\.\.|\.$/.test(local)) return { address: null, problem: WORDS.dots };
  if (!/^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~.]+$/u.test(local)) return { address: null, problem: WORDS.mailbox };
  if (bytes(local) > 64) return { address: null, problem: WORDS.long };
  return { address: local, problem: null };
}

/** Returns the domain in the form of DNS (UTS 46): lower case, ASCII, without the final dot. */
function domain(typed: string): NormalizedEmail {
  const bare = typed.replace(/[.。．｡]$/u, "");
  // A URL would decode %6d and treat text after a slash as a path.
  if (/(?![a-z\d.-])[\0-\x7f]/i.test(bare)) return { address: null, problem: WORDS.domain };
  const ascii = URL.parse(`http://${bare}/`)?.hostname;
  if (!ascii) return { address: null, problem: INVISIBLE.test(bare) ? WORDS.invisible : WORDS.domain };
  const labels = ascii.split(".");
  const known = labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/.test(label));
  // No top-level domain contains digits; a name that ends in digits is an IP.
  if (!known || labels.length < 2 || !/^([a-z]+|xn--.+)$/.test(labels.at(-1)!))
    return { address: null, problem: WORDS.domain };
  return { address: ascii, problem: null };
}

/**
 * Normalises a typed email, so that all spellings of one mailbox share one account and one limit. Idempotent. Does not
 * change "ana+x@" and dots, because they are different mailboxes (specification, section 5).
 */
export function normalizeEmail(typed: string): NormalizedEmail {
  if (!typed.isWellFormed() || typed.length > 2000) return { address: null, problem: WORDS.unlike };
  const parts = typed.replace(ENDS, "").split(/[@＠﹫]/u);
  if (parts.length === 1 && !parts[0]) return { address: null, problem: WORDS.needed };
  if (parts.length !== 2 || !parts[0] || !parts[1]) return { address: null, problem: WORDS.unlike };
  if (parts.some((part) => /\s/u.test(part))) return { address: null, problem: WORDS.spaces };
  const before = mailbox(parts[0]);
  if (before.problem !== null) return before;
  const after = domain(parts[1]);
  if (after.problem !== null) return after;
  const address = `${before.address}@${after.address}`;
  return bytes(address) > 254 ? { address: null, problem: WORDS.long } : { address, problem: null };
}
