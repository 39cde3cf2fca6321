import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "./app.ts";

export const ALWAYS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
};

/** The content policy of a response without inline scripts. */
export const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'`.split("; ");

/** Returns the inline scripts of a page that a browser would run. */
export const inlineScripts = (html: string) =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(([, attributes = ""]) => !/\bsrc=/i.test(attributes) && !/type="application\/(ld\+)?json"/.test(attributes))
    .map(([, , body = ""]) => body);

export const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

export const policyOf = (headers: Headers) => headers.get("content-security-policy") ?? "";

export function expectHeaders({ headers, text }: Pick<Answer, "headers" | "text">, what: string) {
  const seen = Object.fromEntries(Object.keys(ALWAYS).map((name) => [name, headers.get(name)]));
  expect(seen, what).toEqual(ALWAYS);
  // The pages of a payment must communicate with the window that they open.
  expect(headers.get("cross-origin-opener-policy"), what).toBe(
    /^\/planes(\/| |$)/.test(what) ? "unsafe-none" : "same-origin",
  );
  expect(headers.get("referrer-policy"), what).toMatch(/^(strict-origin-when-cross-origin|no-referrer|same-origin)$/);
  expect(headers.get("strict-transport-security"), what).toBeNull();
  for (const telling of ["server", "x-powered-by", "access-control-allow-origin", "via"])
    expect(headers.get(telling), what).toBeNull();

  const directives = policyOf(headers).split("; ");
  const own = directives.map((part) => (part.startsWith("script-src ") ? "script-src 'self'" : part));
  expect(own, what).toEqual(POLICY);
  const html = headers.get("content-type")?.startsWith("text/html");
  const scripts = directives.find((part) => part.startsWith("script-src "))!;
  const hashes = scripts.match(/'sha256-[^']+'/g) ?? [];
  const inside = html ? inlineScripts(text) : [];
  expect(new Set(hashes), what).toEqual(new Set(inside.filter(Boolean).map(hashOf)));
  expect(scripts, what).toBe(
    hashes.length ? `script-src 'self' ${hashes.join(" ")} 'strict-dynamic'` : "script-src 'self'",
  );

  const type = headers.get("content-type");
  if (text !== "") expect(type, what).not.toBeNull();
  // The router always reads its own data as UTF-8.
  if (type?.startsWith("text/") && type !== "text/x-script")
    expect(type.toLowerCase().replace("; ", ";"), what).toMatch(/;charset=utf-8$/);
  if (html) {
    expect(text, what).toMatch(/^<!doctype html>/i);
    // Inline handlers must not appear even though the policy blocks them.
    expect(text, what).not.toMatch(/<[^>]+\son\w+="/i);
    expect(text, what).not.toMatch(/(href|src|action)="(javascript|data|vbscript):/i);
    expect(text, what).not.toContain("<script>alert(1)");
  }
}
