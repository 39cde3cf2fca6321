/** A push service (RFC 8030) on this machine, with browsers that decrypt what it receives (RFC 8291, RFC 8292). */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Push = { path: string; headers: IncomingHttpHeaders; body: Buffer };

export type PushBrowser = ReturnType<Awaited<ReturnType<typeof startPushService>>["browser"]>;

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** Decrypts a body of one record (RFC 8188) with the keys of a browser. */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body[20]!);
  const sealed = body.subarray(21 + body[20]!);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = hkdf(browser.computeSecret(sender), auth, info, 32);
  const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The delimiter of the last record, then padding.
  return record.subarray(0, record.lastIndexOf(2)).toString();
}

/** Verifies the server's signature. @returns the claims and the public key */
export function verifiedVapid({ authorization }: IncomingHttpHeaders) {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization!)!;
  const [head, claims, signature] = token!.split(".") as [string, string, string];
  const point = Buffer.from(key!, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x!, y: y! }, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", signed, options, Buffer.from(signature, "base64url"))) throw new Error("forged signature");
  return { key, claims: JSON.parse(Buffer.from(claims, "base64url").toString()) };
}

export async function startPushService() {
  const pushes: Push[] = [];
  const service = {
    url: "",
    pushes,
    /** Status of the next responses, or a promise that ends the wait of a request. */
    respond: (_push: Push): number | Promise<number> => 201,
    browser() {
      const keys = createECDH("prime256v1");
      keys.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(16).toString("base64url")}`;
      return {
        subscription: {
          endpoint: service.url + path,
          p256dh: keys.getPublicKey("base64url"),
          auth: auth.toString("base64url"),
        },
        payloads: () => pushes.filter((push) => push.path === path).map(({ body }) => decrypt(body, keys, auth)),
      };
    },
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const push = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
    pushes.push(push);
    response.writeHead(await service.respond(push)).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
