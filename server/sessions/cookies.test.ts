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

  test("returns the first of two cookies with one name", () => {
    expect(openCookieJar("sid=first; sid=second", false).get("sid")).toBe("first");
    expect(openCookieJar("__Host-sid=first; __Host-sid=second; sid=third", true).get("sid")).toBe("first");
  });

  test("skips a malformed cookie before a valid one of the same name", () => {
    expect(openCookieJar('sid="a b"; sid=good', false).get("sid")).toBe("good");
  });

  test.each([
    ["no header", null],
    ["an empty header", ""],
    ["separators alone", "; ;;= ; ="],
    ["a name without value", "sid"],
    ["a value without name", "=abc"],
    ["a quoted value", 'sid="abc"'],
    ["a space inside", "sid=a b"],
    ["a comma inside", "sid=a,b"],
    ["a backslash inside", "sid=a\\b"],
    ["a control character", "sid=a\u0001b"],
    ["a letter beyond ASCII", "sid=ñ"],
    ["another letter case", "SID=abc"],
    ["a longer name", "xsid=abc"],
  ])("ignores %s", (_name, header) => {
    expect(openCookieJar(header, false).get("sid")).toBeUndefined();
  });
});

describe("openCookieJar over https", () => {
  test("ignores a cookie that another host of the domain could have written", () => {
    const cookies = openCookieJar("sid=tossed", true);
    expect(cookies.get("sid")).toBeUndefined();
    expect(openCookieJar("sid=tossed; __Host-sid=own", true).get("sid")).toBe("own");
    expect(openCookieJar("__host-sid=tossed", true).get("sid")).toBeUndefined();
    expect(openCookieJar("__Secure-sid=tossed", true).get("sid")).toBeUndefined();
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
  const cookies = openCookieJar("__Host-sid=abc", false);
  expect(cookies.get("sid")).toBeUndefined();
  cookies.set("sid", "abc", { maxAge: 60 });
  expect(cookies.outgoing).toEqual(["sid=abc; Max-Age=60; Path=/; SameSite=Lax; HttpOnly"]);
});
