import { hashPassword } from "../accounts/password.ts";
import type { Context } from "../context.ts";
import { communityRows } from "./rows.ts";
import { analyze, demoAccounts, hasPeople, insertRows, lockDemo, recountEverything } from "./store.ts";

type Needed = Pick<Context, "db" | "config" | "now">;

/** Password of all fictional accounts. The demo listens only on its own machine. */
const DEMO_PASSWORD = "una-sala-tranquila";

/**
 * Loads the fictional community if the database has no profiles.
 * @returns the demo accounts as lines to print, or none if the database has other users
 */
export async function loadDemo(context: Needed): Promise<string[]> {
  await fill(context);
  const accounts = await demoAccounts(context.db);
  const admin = accounts.find((account) => account.email === context.config.adminEmail);
  const user = accounts.find(
    (account) => account.user_type === "user" && account !== admin && account.weekly_consultations_used === 0,
  );
  const gold = accounts.find((account) => account.has_gold);
  const verified = accounts.find(
    (account) => account.is_verified && !account.has_gold && account.free_responses_used === 0,
  );
  const pending = accounts.find((account) => account.is_verified === false);
  const roles = {
    administration: admin,
    user,
    "psychologist with Gold": gold,
    "psychologist, verified": verified,
    "psychologist, pending": pending,
  };
  const lines = Object.entries(roles).flatMap(([role, account]) =>
    account ? [`${account.email.padEnd(40)} ${role}`] : [],
  );
  return lines.length ? [...lines, `Password of all of them: ${DEMO_PASSWORD}`] : [];
}

/** Inserts the community in one transaction if the database has no users. */
async function fill(context: Needed): Promise<void> {
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const filled = await context.db.transaction().execute(async (tx) => {
    await lockDemo(tx);
    if (await hasPeople(tx)) return false;
    const tables = communityRows(context.now(), context.config.adminEmail, password_hash);
    for (const [table, rows] of tables) await insertRows(tx, table, rows);
    await recountEverything(tx);
    return true;
  });
  if (filled) await analyze(context.db);
}
