import { createHmac } from "node:crypto";
import { toIsoDay } from "#shared/time.ts";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../database/handles.ts";
import { randomSecret } from "../tokens.ts";
import type { CookieJar } from "./cookies.ts";
import { KNOWN_DEVICES } from "./rules.ts";
import type { LockedAccount } from "./session.ts";
import { deleteDevices, deleteDevicesExcept, deleteOldestDevices, insertDevice, knownDevice } from "./store.ts";

export const DEVICE_COOKIE = "device";
const SHAPE = /^[\w-]{43}(\.[\w-]{43})*$/;

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

/**
 * Returns the values of a browser, each with its mark: a keyed hash that is stored for one account. The marks of two
 * accounts in one browser cannot be linked.
 */
const marksIn = ({ cookies, context }: DeviceContext, accountId: string): { value: string; mark: Buffer }[] =>
  valuesIn(cookies).map((value) => ({ value, mark: markOf(context.config.secret, accountId, value) }));

const marksOf = (values: { mark: Buffer }[]) => values.map(({ mark }) => mark);

const markOf = (secret: string, accountId: string, value: string): Buffer =>
  createHmac("sha256", secret).update(`known device:${accountId}:${value}`).digest();

/** Sets the cookie in every browser that may sign in, so that a cookie reveals nothing. */
export function ensureDeviceCookie(cookies: CookieJar): void {
  if (!valuesIn(cookies).length) setValues(cookies, []);
}

/** Returns the mark of this browser as a known device of an account in hexadecimal, or null. */
export async function findKnownDevice(db: Db, browser: DeviceContext, accountId: string): Promise<string | null> {
  const found = await knownDevice(db, accountId, marksOf(marksIn(browser, accountId)));
  return found?.device_hash.toString("hex") ?? null;
}

/** Makes a browser a known device of an account with a new value, so that a copy of the old value is useless. */
export async function addKnownDevice(tx: Tx, browser: DeviceContext, accountId: string, now: Date): Promise<void> {
  const others = await deleteOwnMarks(tx, browser, accountId);
  const value = randomSecret();
  const device_hash = markOf(browser.context.config.secret, accountId, value);
  await insertDevice(tx, { account_id: accountId, device_hash, last_day: toIsoDay(now) });
  await deleteOldestDevices(tx, accountId, KNOWN_DEVICES.perAccount);
  setValues(browser.cookies, [value, ...others]);
}

/** Removes this browser from the known devices of an account. It stays known to other accounts. */
export async function removeKnownDevice(tx: Tx, browser: DeviceContext, accountId: string): Promise<void> {
  setValues(browser.cookies, await deleteOwnMarks(tx, browser, accountId));
}

/** @returns the other values of the cookie */
async function deleteOwnMarks(tx: Tx, browser: DeviceContext, accountId: string): Promise<string[]> {
  const own = marksIn(browser, accountId);
  const deleted = await deleteDevices(tx, accountId, marksOf(own));
  return own
    .filter(({ mark }) => !deleted.some(({ device_hash }) => device_hash.equals(mark)))
    .map(({ value }) => value);
}

/** Removes all known devices of an account except this browser. */
export async function removeOtherDevices(tx: Tx, browser: DeviceContext, account: LockedAccount): Promise<void> {
  await deleteDevicesExcept(tx, account.id, marksOf(marksIn(browser, account.id)));
}
