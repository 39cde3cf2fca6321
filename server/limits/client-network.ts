import { isIPv6 } from "node:net";

/** @returns the eight groups of an IPv6 address in one spelling, or null for another IP */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(address)) return null;
  // The URL parser writes an IPv6 address in its shortest form, in lower case and without dots.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, "")}]`);
  const [left = [], right] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  return right ? [...left, ...Array(8 - left.length - right.length).fill("0"), ...right] : left;
}

/** Converts an IPv4 address in IPv6 notation to IPv4. */
function normalizeIp(address: string): string {
  const groups = groupsOf(address);
  if (groups?.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return address;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

/** Returns one sender per IPv4 address or IPv6 /64, which one household or phone gets. */
export function clientKey(address: string): string {
  const plain = normalizeIp(address);
  return groupsOf(plain)?.slice(0, 4).join(":") ?? plain;
}

/** Returns the IPv6 /48 of a sender, because one customer may use a new /64 per request; null for IPv4. */
export const ipv6Prefix48 = (address: string): string | null =>
  groupsOf(normalizeIp(address))?.slice(0, 3).join(":") ?? null;
