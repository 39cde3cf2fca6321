import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openBrowser as openBrowserOf } from "#test/browser.ts";
import { mailingApp } from "#test/made-before.ts";
import { tokenIn } from "#test/mailbox.ts";
import { freshAddress, registration } from "#test/people.ts";

const { app, mailbox } = mailingApp();

const openBrowser = () => openBrowserOf(app);

const deliver = () => mailbox.deliver(app);
const mailsTo = (address: string) => mailbox.to(app, address);

async function newestToken(address: string): Promise<string> {
  return tokenIn((await mailsTo(address)).findLast((mail) => mail.text.includes("?token="))!);
}

describe("secrets", () => {
  /** Every row of every table, as text. */
  async function everythingStored(): Promise<string> {
    const tables = await app.sql<{ name: string }>(
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.accounts", "public.sessions"]));
    let all = "";
    for (const { name } of tables) {
      const [found] = await app.sql<{ rows: string | null }>(
        `select string_agg(kept::text, chr(10)) as rows from ${name} kept`,
      );
      all += `${name}\n${found!.rows ?? ""}\n`;
    }
    return all;
  }

  test("are in no answer and no log line, and the database holds only their hashes", async () => {
    const email = freshAddress();
    const password = `canario ${randomUUID()}`;
    const newPassword = `segundo ${randomUUID()}`;
    const bodies: string[] = [];
    const browser = openBrowser();
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await browser.call(method, path, body);
      bodies.push(answer.text);
      return answer;
    };
    app.log.length = 0;
    await call("POST", "/registrations", registration(email, { password, confirm_password: password }));
    const browserSecret = browser.jar.get("registration")!;
    const confirmation = await newestToken(email);
    const whileWaiting = await everythingStored();
    await call("POST", "/registrations/pending", { token: confirmation });
    await call("POST", "/accounts", { token: confirmation });
    const firstSecret = browser.jar.get("sid")!.split(".")[1]!;
    await call("GET", "/session");
    await call("POST", "/recoveries", { email });
    const recovery = await newestToken(email);
    const whileRecovering = await everythingStored();
    await call("PUT", "/password", { token: recovery, password: newPassword, confirm_password: newPassword });
    await call("POST", "/session", { email, password: newPassword });
    await call("POST", "/session/renewal", {});
    const secondSecret = browser.jar.get("sid")!.split(".")[1]!;
    expect((await call("GET", "/session")).body.user.email).toBe(email);
    bodies.push((await browser.page("/")).text);
    await deliver();

    const stored = whileWaiting + whileRecovering + (await everythingStored());
    expect(stored).toContain(email);
    const secrets = { password, newPassword, browserSecret, confirmation, recovery, firstSecret, secondSecret };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThanOrEqual(40);
      const forms = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")];
      if (/^[\w-]{43}$/.test(secret)) forms.push(Buffer.from(secret, "base64url").toString("hex"));
      for (const form of forms) {
        expect(stored.includes(form), `${name} is stored`).toBe(false);
        expect(bodies.join("\n").includes(form), `${name} is in an answer`).toBe(false);
        expect(app.log.join("\n").includes(form), `${name} is in the log`).toBe(false);
      }
    }
    expect(bodies.join("\n")).not.toContain("argon2id");
    expect(app.log.join("\n")).not.toContain(email);
  });
});
