import { describe, expect, test } from "vitest";
import { accountSteps } from "#test/accounts.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { rawRequest } from "#test/raw-request.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailbox, sent } = setUpTestAppWithMailbox();

const { mailsTo, owner } = accountSteps(app, mailbox);

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
