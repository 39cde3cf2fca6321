/** What counts as one sender of requests, and as one network, by the network address. */
import { isIPv6 } from "node:net";

/** The eight groups of an IPv6 address, in one spelling; null for any other address. */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(address)) return null;
  // The URL parser writes an address in its shortest form, in lower case and without dots.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, "")}]`);
  const [left = [], right] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  return right ? [...left, ...Array(8 - left.length - right.length).fill("0"), ...right] : left;
}

/** An IPv4 address that is written as IPv6, with dots or in hexadecimal, is that IPv4 address. */
function unmapped(address: string): string {
  const groups = groupsOf(address);
  if (groups?.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return address;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

/** What counts as one sender: an IPv4 address, or an IPv6 /64, which one household or phone gets. */
export function senderOf(address: string): string {
  const plain = unmapped(address);
  return groupsOf(plain)?.slice(0, 4).join(":") ?? plain;
}

/** The IPv6 /48 of a sender, since one customer may use a new /64 for each request; null for IPv4. */
export const networkOf = (address: string): string | null => groupsOf(unmapped(address))?.slice(0, 3).join(":") ?? null;
