import { createECDH, hkdfSync } from "node:crypto";
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIPv4, type LookupFunction } from "node:net";
import webPush from "web-push";
import { DAY_SECONDS, SECOND } from "#shared/time.ts";
import { PRIVATE_HOST } from "../config.ts";

export type PushDevice = { endpoint: string; p256dh: string; auth: string };
type PushKeys = { publicKey: string; privateKey: string };
type Sender = { keys: PushKeys; contact: string; testOrigin: string | null };

const TIMEOUT_MS = 10 * SECOND;

/** Derives this server's keys for push services (VAPID) from its secret: a copy of the database cannot send pushes. */
export function pushKeys(secret: string): PushKeys {
  const privateKey = Buffer.from(hkdfSync("sha256", secret, "", "push", 32));
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

/** True if an address is on the internet. Of IPv6, only 2000::/3 is, and 2002: leads to IPv4. */
const isPublic = (address: string) =>
  isIPv4(address) ? !PRIVATE_HOST.test(address) : /^[23]/.test(address) && !address.startsWith("2002:");

/** Resolves a name to its public addresses only: a name on the internet may point into this network. */
export const lookupPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found = []) => {
    const usable = found.filter(({ address }) => isPublic(address));
    if (usable[0] && !options.all) done(null, usable[0].address, usable[0].family);
    else done(usable[0] ? null : (error ?? new Error("The push service has no public address.")), usable);
  });

/** True if a push may be sent to an endpoint: https and a name of the internet, without a port. */
export function isPushEndpoint(endpoint: string, testOrigin: string | null): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.username || url.password) return false;
  // The last label of a name begins with a letter; the last of an address is a number or in brackets.
  const isName = /\.[a-z][a-z0-9-]*$/.test(url.hostname) && !PRIVATE_HOST.test(url.hostname);
  return url.origin === testOrigin || (url.protocol === "https:" && !url.port && isName);
}

/**
 * Sends an encrypted push (RFC 8030, 8291, 8292). While the browser is offline, a later one replaces it.
 * @returns false if the browser does not exist any more
 * @throws Error if the push must be sent again later
 */
export async function sendPush(
  { endpoint, p256dh, auth }: PushDevice,
  payload: string,
  { keys: { publicKey, privateKey }, contact, testOrigin }: Sender,
): Promise<boolean> {
  const { origin } = new URL(endpoint);
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, "aes128gcm");
  const options = {
    method: "POST",
    headers: {
      ...webPush.getVapidHeaders(origin, contact, publicKey, privateKey, "aes128gcm"),
      "Content-Encoding": "aes128gcm",
      "Content-Length": cipherText.length,
      TTL: DAY_SECONDS,
      Topic: "news",
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(origin !== testOrigin && { lookup: lookupPublic }),
  };
  const status = await new Promise<number>((done, failed) => {
    // Follows no redirect and reads no body.
    const request = (origin === testOrigin ? http : https).request(endpoint, options, (response) => {
      response.destroy();
      done(response.statusCode!);
    });
    request.on("error", failed).end(cipherText);
  });
  if (status === 404 || status === 410) return false;
  if (status >= 300) throw new Error(`The push service responded ${status}.`);
  return true;
}
