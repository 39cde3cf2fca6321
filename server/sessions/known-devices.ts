import { createHmac } from "node:crypto";
import { toIsoDay } from "#shared/time.ts";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../database/handles.ts";
import { randomSecret } from "../tokens.ts";
import type { CookieJar } from "./cookies.ts";
import { KNOWN_DEVICES } from "./rules.ts";
import type { LockedAccount } from "./session.ts";
import { deleteDevices, deleteOldestDevices, insertDevice, knownDeviceHashes } from "./store.ts";

export const DEVICE_COOKIE = "device";
const SHAPE = /^[\w-]{43}(\.[\w-]{43})*$/;

/** Cookies of a browser, and the key of its marks. */
type DeviceContext = { cookies: CookieJar; context: Pick<Context, "config"> };

/**
 * Returns the values of a browser, one per account used in it, newest first. Random values pad them to a fixed number,
 * so that the cookie does not reveal the number of users.
 */
function valuesIn(cookies: CookieJar): string[] {
  const cookie = cookies.get(DEVICE_COOKIE) ?? "";
  return SHAPE.test(cookie) ? cookie.split(".").slice(0, KNOWN_DEVICES.valuesPerBrowser) : [];
}

function setValues(cookies: CookieJar, values: string[]): void {
  const filled = Array.from({ length: KNOWN_DEVICES.valuesPerBrowser }, (_, at) => values[at] ?? randomSecret());
  cookies.set(DEVICE_COOKIE, filled.join("."), { maxAge: KNOWN_DEVICES.lifetime / 1000 });
}

/** Keyed hash of a value, stored for one account. The marks of two accounts in one browser cannot be linked. */
const deviceHash = (secret: string, accountId: string, value: string) =>
  createHmac("sha256", secret).update(`known device:${accountId}:${value}`).digest();

/** Sets the cookie in every browser that may sign in, so that a cookie reveals nothing. */
export function ensureDeviceCookie(cookies: CookieJar): void {
  if (!valuesIn(cookies).length) setValues(cookies, []);
}

/** Returns the mark of this browser as a known device of an account, or null. */
export async function findKnownDevice(
  db: Db,
  { cookies, context }: DeviceContext,
  accountId: string,
): Promise<Buffer | null> {
  const marks = valuesIn(cookies).map((value) => deviceHash(context.config.secret, accountId, value));
  const [found] = marks.length ? await knownDeviceHashes(db, accountId, marks) : [];
  return found?.device_hash ?? null;
}

/** Makes a browser a known device of an account with a new value, so that a copy of the old value is useless. */
export async function addKnownDevice(
  tx: Tx,
  { cookies, context }: DeviceContext,
  accountId: string,
  now: Date,
): Promise<void> {
  const others = await deleteOwnDeviceHashes(tx, { cookies, context }, accountId);
  const value = randomSecret();
  const device_hash = deviceHash(context.config.secret, accountId, value);
  await insertDevice(tx, { account_id: accountId, device_hash, last_day: toIsoDay(now) });
  await deleteOldestDevices(tx, accountId, KNOWN_DEVICES.perAccount);
  setValues(cookies, [value, ...others]);
}

/** Removes this browser from the known devices of an account. It stays known to other accounts. */
export async function removeKnownDevice(tx: Tx, asker: DeviceContext, accountId: string): Promise<void> {
  const others = await deleteOwnDeviceHashes(tx, asker, accountId);
  setValues(asker.cookies, others);
}

/**
 * Deletes this browser's marks of an account.
 * @returns the other values of the cookie
 */
async function deleteOwnDeviceHashes(
  tx: Tx,
  { cookies, context }: DeviceContext,
  accountId: string,
): Promise<string[]> {
  const values = valuesIn(cookies).map((value) => ({
    value,
    device_hash: deviceHash(context.config.secret, accountId, value),
  }));
  const gone = values.length
    ? await deleteDevices(tx, accountId, { among: values.map(({ device_hash }) => device_hash) })
    : [];
  return values
    .filter(({ device_hash }) => !gone.some((one) => one.device_hash.equals(device_hash)))
    .map(({ value }) => value);
}

/** Removes all known devices of an account except this browser. */
export async function removeOtherDevices(
  tx: Tx,
  { cookies, context }: DeviceContext,
  account: LockedAccount,
): Promise<void> {
  const own = valuesIn(cookies).map((value) => deviceHash(context.config.secret, account.id, value));
  await deleteDevices(tx, account.id, { except: own });
}
