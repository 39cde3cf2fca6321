import { expect } from "vitest";
import type { Answer, TestApp } from "./app.ts";
import { derivations } from "./fast-password-hashing.ts";

const PAIRS = 4;

/**
 * Expects that a response does not reveal whether an email address is known: equal content after equal work, counted in
 * password hashes and SQL statements, which take almost all of the time.
 *
 * @param addresses creates that many addresses of both kinds: with an account (or another secret) and without
 */
export async function expectEqualWork(
  app: TestApp,
  ask: (email: string) => Promise<Answer>,
  addresses: (pairs: number) => Promise<{ known: string[]; unknown: string[] }>,
): Promise<void> {
  const work = async (email: string) => {
    const before = derivations();
    let answer: Answer | undefined;
    const statements = await app.statementsDuring(async () => {
      answer = await ask(email);
    });
    const { status, text, headers } = answer!;
    return {
      status,
      text,
      // The headers without the time and secrets.
      headers: [...headers]
        .filter(([name]) => name !== "date")
        .map(([name, value]) => `${name}: ${value.replace(/^(\w+)=[\w-]{43}(\.[\w-]{43})*(?=;)/, "$1=x")}`),
      derivations: derivations() - before,
      statements: statements.map((statement) => statement.replace(/\s+/g, " ")),
    };
  };
  const { known, unknown } = await addresses(PAIRS);
  for (const [pair, email] of known.entries()) expect(await work(email)).toEqual(await work(unknown[pair]!));
}
