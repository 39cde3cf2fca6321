import { hashPassword } from "../accounts/password.ts";
import type { Context } from "../context.ts";
import { communityRows } from "./rows.ts";
import { analyze, demoEmails, hasPeople, insertRows, lockDemo, recountEverything } from "./store.ts";

type Needed = Pick<Context, "db" | "config" | "now">;

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
export async function loadDemo(context: Needed): Promise<string[]> {
  await fill(context);
  const emails = await demoEmails(context.db);
  const lines = Object.entries(rolesOf(context.config.adminEmail)).flatMap(([email, role]) =>
    emails.includes(email) ? [`${email.padEnd(40)} ${role}`] : [],
  );
  return lines.length ? [...lines, `Password of all of them: ${DEMO_PASSWORD}`] : [];
}

/** Inserts the community in one transaction if the database has no users. */
async function fill(context: Needed): Promise<void> {
  const filled = await context.db.transaction().execute(async (tx) => {
    await lockDemo(tx);
    if (await hasPeople(tx)) return false;
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    const tables = communityRows(context.now(), context.config.adminEmail, passwordHash);
    for (const [table, rows] of tables) await insertRows(tx, table, rows);
    await recountEverything(tx);
    return true;
  });
  if (filled) await analyze(context.db);
}
