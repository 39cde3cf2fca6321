import { describe, expect, test } from "vitest";
import { openCookieJar } from "./cookies.ts";

describe("openCookieJar", () => {
  test("finds each cookie by its name", () => {
    const cookies = openCookieJar("sid=abc; theme=dark;registration=x-y_z", false);
    expect(cookies.get("sid")).toBe("abc");
    expect(cookies.plain("theme")).toBe("dark");
    expect(cookies.get("registration")).toBe("x-y_z");
    expect(cookies.get("other")).toBeUndefined();
  });

  test.each([
    ["ignores a missing header", null, undefined],
    ["ignores an empty header", "", undefined],
    ["ignores separators alone", "; ;;= ; =", undefined],
    ["ignores a name without value", "sid", undefined],
    ["ignores a value without name", "=abc", undefined],
    ["ignores a quoted value", 'sid="abc"', undefined],
    ["ignores a value with a space", "sid=a b", undefined],
    ["ignores a value with a comma", "sid=a,b", undefined],
    ["ignores a value with a backslash", "sid=a\\b", undefined],
    ["ignores a value with a control character", "sid=a\u0001b", undefined],
    ["ignores a value with a letter beyond ASCII", "sid=ñ", undefined],
    ["ignores a name in another letter case", "SID=abc", undefined],
    ["ignores a longer name", "xsid=abc", undefined],
    ["returns the first of two cookies with one name", "sid=first; sid=second", "first"],
    ["skips a malformed cookie before a valid one of the same name", 'sid="a b"; sid=good', "good"],
    ["ignores a cookie with the prefix, which browsers refuse over http", "__Host-sid=abc", undefined],
  ])("reads sid from a header: %s", (_what, header, sid) => {
    expect(openCookieJar(header, false).get("sid")).toBe(sid);
  });
});

describe("openCookieJar over https", () => {
  test.each([
    ["sid=tossed", undefined],
    ["sid=tossed; __Host-sid=own", "own"],
    ["__Host-sid=first; __Host-sid=second; sid=third", "first"],
    ["__host-sid=tossed", undefined],
    ["__Secure-sid=tossed", undefined],
  ])("ignores cookies of %s that another host of the domain could have written", (header, sid) => {
    expect(openCookieJar(header, true).get("sid")).toBe(sid);
  });

  test("sets a cookie with __Host-, HttpOnly and Secure", () => {
    const cookies = openCookieJar(null, true);
    cookies.set("sid", "abc", { maxAge: 60 });
    expect(cookies.outgoing).toEqual(["__Host-sid=abc; Max-Age=60; Path=/; SameSite=Lax; HttpOnly; Secure"]);
    expect(cookies.get("sid")).toBe("abc");
  });

  test("removes a cookie with the same attributes", () => {
    const cookies = openCookieJar("__Host-sid=abc", true);
    cookies.clear("sid");
    expect(cookies.get("sid")).toBeUndefined();
    expect(cookies.outgoing).toEqual(["__Host-sid=; Max-Age=0; Path=/; SameSite=Lax; HttpOnly; Secure"]);
  });

  test("sets a cookie for scripts without the prefix", () => {
    const cookies = openCookieJar(null, true);
    cookies.setPlain("theme", "dark", 60);
    expect(cookies.outgoing).toEqual(["theme=dark; Max-Age=60; Path=/; SameSite=Lax; Secure"]);
    expect(cookies.plain("theme")).toBe("dark");
  });
});

test("openCookieJar uses neither the prefix nor Secure over http, because browsers would refuse them", () => {
  const cookies = openCookieJar(null, false);
  cookies.set("sid", "abc", { maxAge: 60 });
  expect(cookies.outgoing).toEqual(["sid=abc; Max-Age=60; Path=/; SameSite=Lax; HttpOnly"]);
});
