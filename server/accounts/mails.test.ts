import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setPassword, setUpAccounts } from "#test/accounts.ts";
import { PASSWORD, registration, uniqueEmail } from "#test/people.ts";
import { rawRequest } from "#test/raw-request.ts";

const { app, mailbox, sent, mailsTo, openBrowser, owner } = setUpAccounts();

describe("mails", () => {
  /** Sends a request with forged host headers. fetch() would not send such a Host. */
  const lying = (path: string, body: unknown, headers: Record<string, string>) =>
    rawRequest(
      app,
      path,
      { origin: app.url, ...headers },
      "POST",
      Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    );

  const EVIL = "evil.example";
  const CLAIMS = {
    host: EVIL,
    "x-forwarded-host": EVIL,
    "x-forwarded-proto": "https",
    "x-forwarded-port": "444",
    "x-original-host": EVIL,
    "x-http-host-override": EVIL,
    forwarded: `for=1.2.3.4;host=${EVIL};proto=https`,
    "x-original-url": `https://${EVIL}/`,
    "x-rewrite-url": `//${EVIL}/`,
    referer: `https://${EVIL}/`,
  };

  test("contains only links to the configured origin whatever host the headers of a request name", async () => {
    const person = await owner();
    const json = { "content-type": "application/json", ...CLAIMS };
    const answers = [
      await lying("/api/registrations", registration(uniqueEmail()), json),
      await lying("/api/registrations", registration(person.email), json),
      await lying("/api/recoveries", { email: person.email }, { ...json, host: `127.0.0.1:80@${EVIL}` }),
      await lying("/auth/recuperar", `email=${encodeURIComponent(person.email)}`, {
        ...CLAIMS,
        "content-type": "application/x-www-form-urlencoded",
      }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer.headers)).not.toContain(EVIL);
    // The server refuses an invalid Host.
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 400, 302]);
    await mailbox.deliver(app);
    expect(sent).toHaveLength(3);
    for (const mail of sent) {
      expect(mail.text + mail.html).not.toContain(EVIL);
      for (const [link] of mail.text.matchAll(/https?:\/\/\S+/g)) expect(new URL(link).origin).toBe(app.url);
    }
  });

  test("escapes markup of a name in the HTML of a mail", async () => {
    const person = await owner();
    await app.sql("update profiles set full_name = $2 where id = $1", [person.id, `<img src=x onerror="a">&`]);
    await app.call("POST", "/recoveries", { email: person.email });
    const [mail] = await mailsTo(person.email);
    expect(mail!.html).not.toContain("<img");
    expect(mail!.html).toContain("&lt;img src=x onerror=&quot;a&quot;&gt;&amp;");
  });
});

/** A new email address as mail is delivered to it, with another spelling. `normalizeEmail` has more of them. */
function freshMailbox() {
  const name = `ana${randomUUID().slice(0, 8)}`;
  return { delivered: `${name}@xn--exmple-cua.com`, spelling: ` ${name.toUpperCase()}@exa\u0308mple.com.` };
}

/** Delivers the queued mails. @returns their recipients and subjects */
async function delivered() {
  sent.length = 0;
  await mailbox.deliver(app);
  return sent.map(({ to, subject }) => [to.address, subject]);
}

test("finds the account by another spelling of its email in every operation", async () => {
  const { delivered: address, spelling } = freshMailbox();
  const person = await app.person({ email: address });
  await setPassword(app, person);
  const other = await app.person();
  await app.sql("update sessions set password_at = now()");
  const browser = openBrowser();
  expect((await browser.call("POST", "/session", { email: spelling, password: PASSWORD })).status).toBe(200);
  expect(await browser.viewer()).toMatchObject({ id: person.id });
  expect((await app.call("POST", "/registrations", registration(spelling))).status).toBe(202);
  expect(await delivered()).toEqual([[address, "Ya tienes una cuenta en Diván"]]);
  expect((await app.call("POST", "/registrations/mail", { email: spelling })).status).toBe(202);
  expect(await delivered()).toEqual([[address, "Ya tienes una cuenta en Diván"]]);
  expect((await app.call("POST", "/recoveries", { email: spelling })).status).toBe(202);
  expect(await delivered()).toEqual([[address, "Elige una contraseña nueva en Diván"]]);
  // The owner of an email learns that another account wants it.
  expect((await app.call("POST", "/account/email", { email: spelling }, other)).status).toBe(202);
  expect(await delivered()).toEqual([[address, "Ya tienes una cuenta en Diván"]]);
  expect(await app.call("POST", "/account/email", { email: spelling }, person)).toMatchObject({
    status: 422,
    body: { fields: { email: expect.stringMatching(/ya es el correo/) } },
  });
  const message = { name: "Rosa Luna", email: spelling, message: "Una pregunta sobre mi cuenta." };
  expect((await app.call("POST", "/contact", message)).status).toBe(201);
  expect(await app.sql("select from contact_messages where email = $1", [address])).toHaveLength(1);
});
