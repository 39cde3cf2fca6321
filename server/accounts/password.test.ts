import { argon2Sync } from "node:crypto";
import leaked from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { describe, expect, onTestFinished, test } from "vitest";
import { hashPasswordsAsInProduction } from "#test/fast-password-hashing.ts";
import { ARGON2ID, hashPassword, passwordError, verifyPassword } from "./password.ts";

hashPasswordsAsInProduction();

const ana = { full_name: "Ana María Quintero", email: "ana.quintero@correo.example" };
const COMMON = /más usadas/;
const LIKE_YOU = /tu nombre o a tu correo/;
const REPEATS = /mismos caracteres/;

describe("hashPassword", () => {
  test("uses argon2id with 19 MiB, 2 passes, 1 lane, 16 bytes of salt, 32 bytes of result", async () => {
    expect(ARGON2ID).toEqual({ memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 });
    const hash = await hashPassword("caballo-batería-grapa");
    expect(hash).toMatch(/^argon2id\$19456\$2\$1\$[\w-]{22}\$[\w-]{43}$/);
    const [, memory, passes, parallelism, nonce, tag] = hash.split("$");
    const again = argon2Sync("argon2id", {
      message: Buffer.from("caballo-batería-grapa", "utf8"),
      nonce: Buffer.from(nonce!, "base64url"),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: 32,
    });
    expect(again.toString("base64url")).toBe(tag);
  });

  test("returns different hashes for the same password, which only that password matches", async () => {
    const [one, two] = await Promise.all([hashPassword("una frase larga"), hashPassword("una frase larga")]);
    expect(one).not.toBe(two);
    for (const hash of [one, two]) expect(await verifyPassword("una frase larga", hash)).toBe(true);
    for (const other of ["Una frase larga", "una frase larga ", "una frase larg", ""])
      expect(await verifyPassword(other, one)).toBe(false);
  });

  test("accepts the same password in another Unicode normalization form", async () => {
    const composed = "contraseña-café";
    const decomposed = composed.normalize("NFD");
    expect(decomposed).not.toBe(composed);
    expect(await verifyPassword(decomposed, await hashPassword(composed))).toBe(true);
    expect(await verifyPassword(composed, await hashPassword(decomposed))).toBe(true);
    expect(await verifyPassword("ｆｒａｓｅ larga ①", await hashPassword("frase larga 1"))).toBe(true);
  });

  test('rejects 16 of 80 concurrent hashes with "busy" and hashes the other 64', async () => {
    hashPasswordsAsInProduction(false);
    onTestFinished(() => hashPasswordsAsInProduction());
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword("una frase larga")));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(80 - 4 - 60);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ body: { code: "server_busy", details: { retry_after_seconds: 2 } } });
    // The queue has free places again.
    expect(await verifyPassword("una frase larga", await hashPassword("una frase larga"))).toBe(true);
    expect(await Promise.all(Array.from({ length: 64 }, () => hashPassword("otra frase")))).toHaveLength(64);
  });
});

describe("passwordError", () => {
  test.each([
    "password123",
    "1234567890",
    "qwertyuiop",
    "PASSWORD123",
    "contraseña123",
    "CONTRASENA123",
    "contrasena123".normalize("NFD"),
    "tequieromucho",
    "bocajuniors",
    "argentina123",
    "Perú1234567",
  ])("refuses %j as one of the most common passwords", (password) => {
    expect(passwordError(password, ana)).toMatch(COMMON);
  });

  test.each(["aaaaaaaaaa", "abababababab", "1212121212121", "áaÁAáaÁAáa"])("refuses %j as repetition", (password) => {
    expect(passwordError(password, ana)).toMatch(REPEATS);
  });

  test.each([
    "ana.quintero@correo.example",
    "ANA.QUINTERO@CORREO.EXAMPLE",
    "ana.quintero1",
    "anamariaquintero",
    "AnaMaríaQuintero2",
    "Quintero2024",
    "quintero-ana",
    "maria-quintero",
    "12quintero34",
    "divandivan1",
    "Diván12345",
  ])("refuses %j as similar to the user's name or to the product's", (password) => {
    expect(passwordError(password, ana)).toMatch(LIKE_YOU);
  });

  test.each([
    "caballo-batería-grapa",
    "quintero toca el violonchelo",
    "xK9#pL2$vQ",
    "日本語のパスワードです",
    "una frase de más de sesenta y cuatro caracteres, con espacios, comas y acentos: sí",
    `${"z4".repeat(32)}-otra-cosa`,
    `${"frase larga ".repeat(10)}fin 1234`,
  ])("accepts %j", (password) => {
    expect(passwordError(password, ana)).toBeNull();
  });

  test("ignores words of a name with fewer than 3 letters", () => {
    expect(passwordError("elefante lila", { full_name: "El Li", email: "x@correo.example" })).toBeNull();
  });

  test("refuses more than 1,000 leaked passwords of at least 10 characters", () => {
    const long = (leaked as string[]).filter((password) => [...password].length >= 10);
    expect(long.length).toBeGreaterThan(1_000);
    for (const password of long) expect(passwordError(password, ana)).toMatch(COMMON);
  });
});
