import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { setUpAccounts } from "#test/accounts.ts";
import { dumpDatabase } from "#test/dump-database.ts";
import { registration, twice, uniqueEmail } from "#test/people.ts";

const { app, mailbox, openBrowser, newestToken } = setUpAccounts();

test("secrets appear in no response or log line; the database stores only their hashes", async () => {
  const email = uniqueEmail();
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
  await call("POST", "/registrations", registration(email, twice(password)));
  const browserSecret = browser.jar.get("registration")!;
  const confirmation = await newestToken(email);
  const whileWaiting = await dumpDatabase(app);
  await call("POST", "/registrations/pending", { token: confirmation });
  await call("POST", "/accounts", { token: confirmation });
  const firstSecret = browser.jar.get("sid")!.split(".")[1]!;
  const device = browser.jar.get("device")!.split(".")[0]!;
  await call("GET", "/session");
  await call("POST", "/recoveries", { email });
  const recovery = await newestToken(email);
  const whileRecovering = await dumpDatabase(app);
  await call("PUT", "/password", { token: recovery, ...twice(newPassword) });
  await call("POST", "/session", { email, password: newPassword });
  await call("POST", "/session/renewal", {});
  const secondSecret = browser.jar.get("sid")!.split(".")[1]!;
  expect((await call("GET", "/session")).body.user.email).toBe(email);
  bodies.push((await browser.page("/")).text);
  await mailbox.deliver(app);

  const stored = whileWaiting + whileRecovering + (await dumpDatabase(app));
  expect(stored).toContain(email);
  const secrets = { password, newPassword, browserSecret, confirmation, recovery, firstSecret, secondSecret, device };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThanOrEqual(40);
    const forms = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")];
    if (/^[\w-]{43}$/.test(secret)) forms.push(Buffer.from(secret, "base64url").toString("hex"));
    for (const form of forms) {
      expect(stored.includes(form), `${name} is stored`).toBe(false);
      expect(bodies.join("\n").includes(form), `${name} is in a response`).toBe(false);
      expect(app.log.join("\n").includes(form), `${name} is in the log`).toBe(false);
    }
  }
  expect(bodies.join("\n")).not.toContain("argon2id");
  expect(app.log.join("\n")).not.toContain(email);
});
