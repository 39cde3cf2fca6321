import { createHmac } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(key: string): Buffer {
  let bits = "";
  for (const letter of key.replace(/[\s=]/g, "").toUpperCase())
    bits += LETTERS.indexOf(letter).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * Returns the code of an authenticator at a time (RFC 6238: SHA-1, 30 seconds, 6 digits). Independent of the product's
 * code.
 */
export function codeAt(key: string, moment: Date): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(moment.getTime() / 30_000)));
  const hash = createHmac("sha1", bytesOf(key)).update(counter).digest();
  const at = hash[hash.length - 1]! & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
