import { hashPassword } from "../accounts/password.ts";
import type { Context } from "../context.ts";
import { analyze, demoEmails, hasPeople, insertDerived, insertTexts, lockDemo } from "./store.ts";

/** Password of all fictional accounts. The demo listens only on its own machine. */
const DEMO_PASSWORD = "una-sala-tranquila";

/** Accounts to try, one per role. */
const rolesOf = (adminEmail: string) => ({
  [adminEmail]: "administration",
  "oscar-mejia@divan.example": "user",
  "paula-rivarola@divan.example": "psychologist with Gold",
  "sofia-montalban@divan.example": "psychologist, verified",
  "paz-irarrazaval@divan.example": "psychologist, pending",
});

/**
 * Loads the fictional community if the database has no profiles.
 * @returns the demo accounts as lines to print, or none if the database has other users
 */
export async function loadDemo({ db, config, now }: Pick<Context, "db" | "config" | "now">): Promise<string[]> {
  const filled = await db.transaction().execute(async (tx) => {
    await lockDemo(tx);
    if (await hasPeople(tx)) return false;
    const at = now();
    await insertTexts(tx, at, config.adminEmail);
    await insertDerived(tx, at, await hashPassword(DEMO_PASSWORD));
    return true;
  });
  if (filled) await analyze(db);
  const emails = await demoEmails(db);
  const lines = Object.entries(rolesOf(config.adminEmail)).flatMap(([email, role]) =>
    emails.includes(email) ? [`${email.padEnd(40)} ${role}`] : [],
  );
  return lines.length ? [...lines, `Password of all of them: ${DEMO_PASSWORD}`] : [];
}
