import { createHash, randomBytes, randomUUID } from "node:crypto";
import { DAY } from "#shared/time.ts";

export type TestUser = { id: string; email: string; full_name: string; cookie: string };
export type PersonOptions = {
  type?: "user" | "psychologist";
  verified?: boolean;
  gold?: "none" | "active" | "expired";
  used?: number;
  name?: string;
  email?: string;
  country?: string;
};

type Query = (text: string, values: unknown[]) => Promise<unknown>;

export const PASSWORD = "un caballo sin montura";

export const NEW = "una llave nueva y larga";

/** The fields of a form without JavaScript, where `true` is a ticked checkbox. */
export const formFields = (input: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value === true ? "on" : `${value}`]));

/** A password in both fields of a form. */
export const twice = (password: string) => ({ password, confirm_password: password });

export const uniqueEmail = () => `${randomUUID()}@correo.example`;

export const registration = (email: string, more: Record<string, unknown> = {}) => ({
  user_type: "user",
  full_name: "Rosa Luna Prado",
  email,
  password: PASSWORD,
  confirm_password: PASSWORD,
  adult_or_guardian: true,
  health_data: true,
  professional_data: true,
  transfer_abroad: true,
  ...more,
});

/** A hash that matches no password. */
const NO_PASSWORD = `argon2id$19456$2$1$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Starts a session of an account. @returns its cookie */
export async function insertSession(query: Query, account: string, now = new Date()): Promise<string> {
  const [id, secret] = [randomUUID(), randomBytes(32).toString("base64url")];
  await query(
    "insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at) values ($1, $2, $3, $4, $4, $5)",
    [id, account, createHash("sha256").update(secret).digest(), now, new Date(now.getTime() + 30 * DAY)],
  );
  return `sid=${id}.${secret}`;
}

/** Inserts a user who has registered, confirmed and signed in, but has no usable password. */
export async function insertUser(
  query: Query,
  {
    type = "user",
    verified = type === "psychologist",
    gold = "none",
    used = 0,
    name,
    email,
    country,
  }: PersonOptions = {},
  now = new Date(),
): Promise<TestUser> {
  const id = randomUUID();
  const full_name = name ?? `Persona ${id.slice(0, 8)}`;
  const address = email ?? `${id}@example.com`;
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  const profile = "insert into profiles (id, full_name, email, user_type) values ($1, $2, $3, $4)";
  await query(profile, [id, full_name, address, type]);
  await query("insert into accounts (id, password_hash, email_verified_at) values ($1, $2, now())", [id, NO_PASSWORD]);
  if (type === "psychologist")
    await query(
      `insert into psychologist_profiles (id, license_number, specialty, country, verified_at, gold_until, free_responses_used)
       values ($1, 'MP 1234', 'Psicología Clínica', $2, $3, $4, $5)`,
      [id, country, verified ? now : null, { none: null, active: later(DAY), expired: later(-1000) }[gold], used],
    );
  return { id, email: address, full_name, cookie: await insertSession(query, id, now) };
}
