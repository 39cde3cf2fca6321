import { createHmac } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../db.ts";
import { dayOf } from "../psychologists/rules.ts";
import type { Cookies } from "../request.ts";
import { KNOWN_DEVICES } from "./rules.ts";
import type { LockedAccount } from "./sessions.ts";
import { deleteDevices, deleteOldestDevices, devicesAmong, insertDevice } from "./store.ts";
import { randomSecret } from "./tokens.ts";

const COOKIE = "device";
const SHAPE = /^[\w-]{43}(\.[\w-]{43})*$/;

/** What needs the cookie of a browser and the key of its marks. */
type Asker = { cookies: Cookies; context: Pick<Context, "config"> };

/**
 * A browser holds one value for each of the accounts that were used in it, the newest first, and as many others as make a
 * fixed number: nothing says which is whose, nor how many people share the browser.
 */
function valuesIn(cookies: Cookies): string[] {
  const cookie = cookies.get(COOKIE) ?? "";
  return SHAPE.test(cookie) ? cookie.split(".").slice(0, KNOWN_DEVICES.valuesPerBrowser) : [];
}

function setValues(cookies: Cookies, values: string[]): void {
  const filled = Array.from({ length: KNOWN_DEVICES.valuesPerBrowser }, (_, at) => values[at] ?? randomSecret());
  cookies.set(COOKIE, filled.join("."), { maxAge: KNOWN_DEVICES.lifetime / 1000 });
}

/** What the database holds of a value, for one account: of two accounts in one browser the marks have nothing in common. */
const markOf = (secret: string, accountId: string, value: string) =>
  createHmac("sha256", secret).update(`known device:${accountId}:${value}`).digest();

/** Gives every browser that may sign in a value, so that having one says nothing. */
export function giveDevice(cookies: Cookies): void {
  if (!valuesIn(cookies).length) setValues(cookies, []);
}

/** The mark by which an account knows this browser, or null. */
export async function knownDevice(db: Db, { cookies, context }: Asker, accountId: string): Promise<Buffer | null> {
  const marks = valuesIn(cookies).map((value) => markOf(context.config.secret, accountId, value));
  const [found] = marks.length ? await devicesAmong(db, accountId, marks) : [];
  return found?.mark ?? null;
}

/** Makes a browser known to an account under a new value: what anybody knew of the old one is worth nothing. */
export async function makeDeviceKnown(
  tx: Tx,
  { cookies, context }: Asker,
  accountId: string,
  now: Date,
): Promise<void> {
  const others = await dropOwn(tx, { cookies, context }, accountId);
  const value = randomSecret();
  const mark = markOf(context.config.secret, accountId, value);
  await insertDevice(tx, { account_id: accountId, mark, last_day: dayOf(now) });
  await deleteOldestDevices(tx, accountId, mark, KNOWN_DEVICES.perAccount);
  setValues(cookies, [value, ...others]);
}

/** An account does not know this browser any more; other accounts do. */
export async function forgetDevice(tx: Tx, asker: Asker, accountId: string): Promise<void> {
  const others = await dropOwn(tx, asker, accountId);
  setValues(asker.cookies, others);
}

/** Deletes this browser's marks of an account. @returns the values of the cookie that were not among them */
async function dropOwn(tx: Tx, { cookies, context }: Asker, accountId: string): Promise<string[]> {
  const values = valuesIn(cookies).map((value) => ({ value, mark: markOf(context.config.secret, accountId, value) }));
  const gone = values.length ? await deleteDevices(tx, accountId, { among: values.map(({ mark }) => mark) }) : [];
  return values.filter(({ mark }) => !gone.some((one) => one.mark.equals(mark))).map(({ value }) => value);
}

/** An account knows no browser any more but the one that asks, if it did. */
export async function forgetOtherDevices(tx: Tx, { cookies, context }: Asker, account: LockedAccount): Promise<void> {
  const own = valuesIn(cookies).map((value) => markOf(context.config.secret, account.id, value));
  await deleteDevices(tx, account.id, { except: own });
}
