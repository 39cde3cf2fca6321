import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { setPassword } from "#test/accounts.ts";
import { openBrowser as openBrowserOf } from "#test/browser.ts";
import { PASSWORD, registration } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailbox, sent } = setUpTestAppWithMailbox();

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
  const browser = openBrowserOf(app);
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
