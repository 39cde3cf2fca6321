import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { limitConcurrency } from "../concurrency.ts";

const derive = promisify(argon2);

/** OWASP's first choice of memory, passes and lanes: 13-35 ms on a small machine. */
export const ARGON2ID = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/**
 * Node hashes on 4 threads; more concurrent hashes would only hold memory. Above 60 waiting hashes the wait exceeds 1
 * s, so further calls fail with "busy".
 */
const limited = limitConcurrency({ concurrency: 4, queueLimit: 60, retryAfterSeconds: 2 });

// Normalize with NFKC for hashing only: the same password typed on another keyboard must match.
const message = (password: string) => Buffer.from(password.normalize("NFKC"), "utf8");

/** Returns a hash with its parameters, in the stored format. */
const stored = (nonce: Buffer, tag: Buffer) =>
  `argon2id$${ARGON2ID.memory}$${ARGON2ID.passes}$${ARGON2ID.parallelism}$${nonce.toString("base64url")}$${tag.toString("base64url")}`;

/**
 * Hashes a password.
 * @throws AppError server_busy if the queue is full
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await limited(() => derive("argon2id", { message: message(password), nonce, ...ARGON2ID }));
  return stored(nonce, tag);
}

/** Compares a password with a stored hash, in constant time. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = hash.split("$");
  const expected = Buffer.from(tag!, "base64url");
  const actual = await limited(() =>
    derive("argon2id", {
      message: message(password),
      nonce: Buffer.from(nonce!, "base64url"),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(actual, expected);
}

/**
 * Stored hash that matches no password: its result is random bytes. A comparison with it takes as long as a real one, for
 * emails without an account.
 */
export const DUMMY_HASH = stored(randomBytes(16), randomBytes(ARGON2ID.tagLength));

const plain = (value: string) => value.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Spanish words that lists of English leaks do not contain. Users add digits to them. */
const SPANISH = new Set(
  `contrasena micontrasena tequieromucho teamomucho teamoteamo teamoporsiempre felicidades felicidad barcelona
  bocajuniors riverplate realmadrid chivas clubamerica atleticomadrid colocolo alianzalima estrellita princesita
  corazoncito miamorcito mariposita amormioamor diosesamor diosesfiel jesusesamor jesuscristo virgendeguadalupe
  guadalupe argentina mexico mexicolindo colombia venezuela chile peru espana uruguay paraguay ecuador panama familia
  mifamilia hola holahola holamundo adminadmin administrador psicologia psicologo`.split(/\s+/),
);

const leaked = createRequire(import.meta.url)("@zxcvbn-ts/language-common/src/passwords.json") as string[];
/** The most common passwords: in lower case without accents, long enough for ours. */
const LEAKED = new Set(leaked.filter((password) => [...password].length >= LIMITS.password.min));

/** Returns a Spanish reason why a new password is refused, or null. The schema checks the length. */
export function passwordError(password: string, person: { full_name: string; email: string }): string | null {
  const candidate = plain(password);
  if (LEAKED.has(candidate) || SPANISH.has(candidate.replace(/\d+$/, "")))
    return "Es una de las contraseñas más usadas. Elige otra.";
  if (new Set(candidate).size < 4) return "Repite demasiado los mismos caracteres. Elige otra.";
  const known = [
    PRODUCT_NAME,
    person.full_name.replace(/\s+/g, ""),
    person.email,
    person.email.split("@")[0]!,
    ...person.full_name.split(/\s+/),
  ]
    .map(plain)
    .filter((word) => word.length >= 3);
  // Remove the user's public words (name, email); the rest must still be strong.
  const rest = known.sort((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ""), candidate);
  if (rest.length < 6 && rest.length < candidate.length)
    return "Se parece demasiado a tu nombre o a tu correo. Elige otra.";
  return null;
}
