import { beforeEach, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { withHidden } from "#test/hidden.ts";
import { setUpOnce, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { ask, publishAnswer } from "#test/threads.ts";
import { sendMail } from "../background.ts";
import { MAIL_QUEUE, type MailJob } from "../mail/queues.ts";
import { queueDigests } from "./jobs.ts";

const SUBJECT = "Tu resumen del día en Diván";

const { app, mailbox, sent } = setUpTestAppWithMailbox();
const answering = setUpOnce(() => app.person({ type: "psychologist", gold: "active" }));
beforeEach(async () => {
  await app.sql("update mail_preferences set digest_until = null");
  await app.sql("delete from consultations");
  await app.sql("delete from pgboss.job");
});

const choose = (person: TestUser, choices: object) => app.call("PUT", "/notifications/choices", choices, person);
/** A psychologist who chose the digest before the consultations of a test. */
async function reader(choices: object = {}, options: { country?: string; verified?: boolean } = {}) {
  const person = await app.person({ type: "psychologist", country: "Chile", ...options });
  expect((await choose(person, { digest: true, ...choices })).status).toBe(200);
  await app.sql("update mail_preferences set digest_until = digest_until - interval '1 second' where profile_id = $1", [
    person.id,
  ]);
  return person;
}
const askIn = async (country: string, category?: string, more: Record<string, unknown> = {}) =>
  ask(app, await app.person({ name: "Canaria Autora" }), { country, category, ...more });
/** Runs the digests of a later day. */
async function run(days = 1) {
  app.setNow(new Date(Date.now() + days * DAY));
  await queueDigests(app.context);
  await mailbox.deliver(app);
}
const digestsOf = (person: TestUser) => sent.filter(({ to }) => to.address === person.email);

describe("daily digest", () => {
  test("counts the unanswered consultations of the psychologist's country and topics, without their texts", async () => {
    const all = await reader();
    const topics = await reader({ digest_categories: ["Ansiedad", "Duelo"] });
    const abroad = await reader({}, { country: "Perú" });
    const everywhere = await reader();
    await app.sql("update psychologist_profiles set country = null where id = $1", [everywhere.id]);
    const text = { title: "Canario en el título", content: "Un canario en el texto, con largo suficiente." };
    for (const category of ["Ansiedad", "Ansiedad", "Duelo", "Familia", undefined])
      await askIn("Chile", category, { ...text, is_anonymous: category === "Ansiedad" });
    await publishAnswer(app, await askIn("Chile", "Duelo"), answering);
    await askIn("Uruguay", "Ansiedad");
    // Saving a choice again skips no consultation.
    await choose(all, { digest: true, push_replies: false });
    await run();
    const [mail] = digestsOf(all);
    expect(digestsOf(all)).toHaveLength(1);
    expect(mail!.subject).toBe(SUBJECT);
    expect(mail!.to.name).toBe("");
    expect(mail!.text).toContain("hay 5 consultas nuevas sin responder en Chile");
    expect(mail!.text).toContain("Ansiedad: 2 · Duelo: 1 · Familia: 1 · Sin categoría: 1");
    expect(mail!.html).toContain(`${app.url}/?pais=Chile&amp;orden=pendientes#consultas`);
    expect(digestsOf(topics)[0]!.text).toContain("hay 3 consultas nuevas");
    expect(digestsOf(topics)[0]!.text).not.toContain("Familia");
    expect(digestsOf(abroad)).toEqual([]);
    expect(digestsOf(everywhere)[0]!.text).toContain("hay 6 consultas nuevas sin responder.");
    expect(JSON.stringify(sent)).not.toMatch(/canari/i);
  });

  test("sends nothing if nothing is new, or without a choice, a verification or a consent", async () => {
    const person = await reader();
    const unverified = await reader({}, { verified: false });
    const withdrawn = await reader();
    await app.sql(
      "insert into consents (profile_id, kind, version, accepted_at, withdrawn_at) values ($1, 'professional_data', '1', now(), now())",
      [withdrawn.id],
    );
    const never = await app.person({ type: "psychologist" });
    await askIn("Chile");
    await run();
    await run(2);
    expect(digestsOf(person).map(({ text }) => text)).toEqual([expect.stringContaining("hay 1 consulta nueva sin")]);
    app.setNow(null);
    await askIn("Chile");
    await app.sql("update consultations set created_at = now() + interval '36 hours'");
    await choose(person, { digest: false });
    await run(2);
    expect(digestsOf(person)).toHaveLength(1);
    expect([unverified, withdrawn, never].flatMap(digestsOf)).toEqual([]);
    // Turned on again, it begins now.
    app.setNow(null);
    await choose(person, { digest: true });
    await app.sql("update consultations set created_at = now() - interval '1 hour'");
    await run();
    expect(digestsOf(person)).toHaveLength(1);
  });

  test("leaves a consultation of the last minute, which may not be stored yet, to the next digest", async () => {
    const person = await reader();
    await askIn("Chile");
    await app.sql("update consultations set created_at = now() + interval '1 day' - interval '10 seconds'");
    await run();
    expect(digestsOf(person)).toEqual([]);
    await run(2);
    expect(digestsOf(person)).toHaveLength(1);
  });

  test("sends one mail for 20 concurrent jobs of three runs", async () => {
    const person = await reader();
    await askIn("Chile");
    app.setNow(new Date(Date.now() + DAY));
    for (let n = 0; n < 3; n++) await queueDigests(app.context);
    const jobs = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 50 });
    await Promise.all([...jobs, ...jobs].map(({ data }) => sendMail(app.context, data)));
    expect(digestsOf(person)).toHaveLength(1);
  });

  test("sends the same consultations again after they could not be counted or the mail server refused the mail", async () => {
    const person = await reader();
    await askIn("Chile");
    app.setNow(new Date(Date.now() + DAY));
    await queueDigests(app.context);
    const [job] = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 50 });
    await withHidden(app, "view", "visible.consultations", () =>
      expect(sendMail(app.context, job!.data)).rejects.toMatchObject({ code: "42P01" }),
    );
    const { send } = mailbox.mailer;
    mailbox.mailer.send = () => Promise.reject(new Error("no"));
    await expect(sendMail(app.context, job!.data)).rejects.toThrow("The mail could not be sent.");
    mailbox.mailer.send = send;
    for (let sending = 0; sending < 2; sending++) await sendMail(app.context, job!.data);
    expect(digestsOf(person).map(({ text }) => /hay (\d)/.exec(text)![1])).toEqual(["1"]);
    // A digest that is turned off while its mail fails stays off.
    const setUntil = (until: string | null) =>
      app.sql("update mail_preferences set digest_until = $2 where profile_id = $1", [person.id, until]);
    await setUntil((job!.data as { since: string }).since);
    mailbox.mailer.send = () => setUntil(null).then(() => Promise.reject(new Error("no")));
    await expect(sendMail(app.context, job!.data)).rejects.toThrow("The mail could not be sent.");
    mailbox.mailer.send = send;
    expect((await app.call("GET", "/notifications/choices", undefined, person)).body.digest).toBe(false);
  });

  test("contains a one-click unsubscribe link, which a later choice invalidates", async () => {
    const person = await reader();
    await askIn("Chile");
    await run();
    app.setNow(null);
    const { pathname } = new URL(digestsOf(person)[0]!.unsubscribe!);
    const oneClick = () =>
      fetch(app.url + pathname, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
    const digest = async () => (await app.call("GET", "/notifications/choices", undefined, person)).body.digest;
    // Choices that turn nothing on keep the link.
    await choose(person, { digest: true, push_replies: false });
    expect([(await oneClick()).status, await digest()]).toEqual([200, false]);
    await choose(person, { digest: true });
    expect([(await oneClick()).status, await digest()]).toEqual([410, true]);
  });
});
