import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestUser } from "#test/app.ts";
import { headerOf, mailServer, partsOf } from "#test/mail-server.ts";
import { openMailbox } from "#test/mailbox.ts";
import { setUpOnce } from "#test/suite-setup.ts";
import { ask, publishAnswer } from "#test/threads.ts";
import { sendMail } from "../background.ts";
import { markListed, ownConsultations } from "../consultations/store.ts";
import { MAIL_QUEUE, type MailJob } from "../mail/queues.ts";
import { anonymiseTexts } from "../own-data/store.ts";

const SUBJECT = "Hay novedades en tu cuenta";

const smtp = mailServer();
const app: TestApp = setUpOnce(() => openTestApp({ environment: { SMTP_URL: smtp.url, MAIL_FROM: "no@divan.test" } }));
afterAll(() => app.close());
const psychologist = setUpOnce(() => app.person({ type: "psychologist", gold: "active", name: "Canaria Psicóloga" }));
const queue = openMailbox();
beforeEach(async () => {
  await app.sql("delete from pgboss.job");
});

const answer = (consultation: string, content?: string) => publishAnswer(app, consultation, psychologist, content);
/**
 * Delivers queued mails.
 * @returns how many mails a user got
 */
const delivered = async (person: TestUser) => {
  await queue.deliver(app);
  return smtp.delivered.filter(({ to }) => to.includes(person.email)).length;
};
const asker = async (more: Record<string, unknown> = {}) => {
  const author = await app.person();
  return { author, consultation: await ask(app, author, { notify_on_answer: true, ...more }) };
};
const newAnswers = async (person: TestUser) =>
  (await app.call("GET", "/session", undefined, person)).body.user.new_answers;
const lastMail = () => smtp.delivered.at(-1)!.raw;
const linkInLastMail = () => new URL(/^<(.*)>$/.exec(headerOf(lastMail(), "List-Unsubscribe")!)![1]!);
/** Sends the request of a mail provider: no cookie, no Origin. */
const oneClick = (path: string, body: RequestInit["body"] = new URLSearchParams({ "List-Unsubscribe": "One-Click" })) =>
  fetch(app.url + path, { method: "POST", body, redirect: "manual" });

describe("mail about new answers", () => {
  test("says only that there is something new, in every header and part", async () => {
    const author = await app.person({ name: "Canaria Pseudónima", email: "buzon@example.com" });
    const consultation = await ask(app, author, {
      title: "Canario en el título",
      content: "Un canario en el texto de la consulta, largo.",
      notify_on_answer: true,
    });
    const id = await answer(consultation, "Un canario en la respuesta");
    expect(await delivered(author)).toBe(1);
    const raw = lastMail();
    expect(headerOf(raw, "Subject")).toBe(SUBJECT);
    expect(headerOf(raw, "To")).toBe(author.email);
    const link = linkInLastMail();
    expect(link.href).toMatch(new RegExp(`^${app.url}/baja/[\\w-]{43}$`));
    expect(headerOf(raw, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    const parts = Object.values(partsOf(raw));
    expect(parts).toHaveLength(2);
    for (const part of parts)
      for (const words of ["Entra cuando quieras para verlas.", link.href]) expect(part).toContain(words);
    const text = [raw, headerOf(raw, "From"), SUBJECT, ...parts].join("\n");
    expect(text).not.toMatch(/canari|pseud[oó]nim/i);
    expect(text).not.toMatch(/consulta|respuesta|psic|salud|urgencia|ayuda/i);
    for (const secret of [consultation, id, psychologist.id, author.id, author.full_name])
      expect(text).not.toContain(secret);
  });

  test("sends no further mail until the author opens the consultation or their list", async () => {
    const { author, consultation } = await asker();
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
    // Views of other users or of other pages do not count.
    await app.page(`/consulta/${consultation}`, psychologist);
    await app.page(`/consulta/${consultation}`);
    await app.page("/", author);
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
    await app.page(`/consulta/${consultation}`, author);
    // The author looked, but no answer is new.
    expect(await delivered(author)).toBe(1);
    await answer(consultation);
    expect(await delivered(author)).toBe(2);
    await app.page("/perfil", author);
    await answer(consultation);
    expect(await delivered(author)).toBe(3);
  });

  test("sends a further mail if the author looked after the mailed answer was deleted, or while another one arrived", async () => {
    const { author, consultation } = await asker();
    for (const [mails, look] of ["/perfil", `/consulta/${consultation}`].entries()) {
      const id = await answer(consultation);
      expect(await delivered(author)).toBe(mails + 1);
      await app.call("DELETE", `/answers/${id}`, undefined, psychologist);
      await app.page(look, author);
    }
    await answer(consultation);
    expect(await delivered(author)).toBe(3);
    const { db } = app.context;
    const shown = await ownConsultations(db, author.id, null, 1);
    await answer(consultation);
    await markListed(db, author.id, shown);
    expect(await delivered(author)).toBe(4);
  });

  test("sends no second mail if the author's list was read before the first one left", async () => {
    const { author, consultation } = await asker();
    const { db } = app.context;
    const shown = await ownConsultations(db, author.id, null, 1);
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
    await markListed(db, author.id, shown);
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
  });

  test("sends one mail for 20 concurrent answers and 20 concurrent jobs", async () => {
    const { author, consultation } = await asker();
    await Promise.all(Array.from({ length: 20 }, () => answer(consultation)));
    const jobs = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 100 });
    expect(jobs).toHaveLength(20);
    await Promise.all(jobs.map((job) => sendMail(app.context, job.data)));
    expect(smtp.delivered.flatMap(({ to }) => to)).toEqual([author.email]);
    expect(await newAnswers(author)).toBe(20);
  });

  test("runs the same SQL statements if the author does not want mails, but sends none", async () => {
    const wants = await asker();
    const not = await asker({ notify_on_answer: undefined });
    const statements = [];
    for (const { consultation } of [wants, not])
      statements.push(await app.statementsDuring(() => answer(consultation)));
    expect(statements[0]!.length).toBeGreaterThan(5);
    expect(statements[1]).toEqual(statements[0]);
    const jobs = await app.sql<{ data: MailJob }>(
      "select data from pgboss.job where name = 'mail' order by created_on",
    );
    // Both jobs wait equally and name no user.
    expect(jobs.map(({ data }) => data)).toEqual(
      [wants, not].map(({ consultation }) => ({
        kind: "new_answer",
        consultation_id: consultation,
        mail_id: expect.any(String),
      })),
    );
    expect(await delivered(wants.author)).toBe(1);
    expect(await delivered(not.author)).toBe(0);
    expect(await newAnswers(not.author)).toBe(1);
  });

  test("sends nothing if the author deleted the account or the consultation, withdrew a consent or looked", async () => {
    const [left, deleted, withdrew, looked] = [await asker(), await asker(), await asker(), await asker()];
    for (const { consultation } of [left, deleted, withdrew, looked]) await answer(consultation);
    // Deleting the account does this to an anonymous consultation.
    await app.sql("delete from profiles where id = $1", [left.author.id]);
    expect((await app.call("DELETE", `/consultations/${deleted.consultation}`, undefined, deleted.author)).status).toBe(
      200,
    );
    await app.sql(
      "insert into consents (profile_id, kind, version, accepted_at, withdrawn_at) values ($1, 'health_data', '2025-01-01', now(), now())",
      [withdrew.author.id],
    );
    await app.page(`/consulta/${looked.consultation}`, looked.author);
    await queue.deliver(app);
    expect(smtp.delivered).toEqual([]);
  });

  test("hides the recipient from the queue and from the administrator if delivery fails", async () => {
    const { author, consultation } = await asker();
    await answer(consultation);
    smtp.state.refusal = (address) => `Rosa at ${address} is away`;
    smtp.state.mode = "refuse the recipient";
    const [job] = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 5 });
    const failure = await sendMail(app.context, job!.data).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    await app.context.boss.fail(MAIL_QUEUE, job!.id, failure as Error);
    const [kept] = await app.sql("select data, output from pgboss.job where name = 'mail'");
    // The mail server's response begins with its code; ids may contain the same three digits.
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${author.email}|Rosa|\\b452[ -]|${author.id}`));
    const { body } = await app.call("GET", "/admin/mails", undefined, await app.admin());
    expect(body).toMatchObject([{ kind: "new_answer", last_error: null }]);
    expect(body[0].created_at).toMatch(/T00:00:00\.000Z$/);
    // Another answer may notify the author, so that the first mail is obsolete.
    smtp.state.mode = "take";
    await answer(consultation);
    expect(await delivered(author)).toBe(1);
    await sendMail(app.context, job!.data);
    expect(smtp.delivered).toHaveLength(1);
  });

  test("leaves 1 to 30 min after the answer outside the demo, as its push does; both jobs are deleted after 1 h", async () => {
    const { consultation } = await asker();
    Object.assign(app.context.config, { demo: false });
    try {
      for (let i = 0; i < 5; i++) await answer(consultation);
    } finally {
      Object.assign(app.context.config, { demo: true });
    }
    const jobs = await app.sql<{ wait: number; deletion_seconds: number; data: object }>(
      "select extract(epoch from start_after - created_on)::float8 as wait, deletion_seconds, data from pgboss.job",
    );
    // An author without a browser gets no push, but the jobs are queued.
    const pushes = jobs.filter(({ data }) => Object.keys(data).join() === "response_id");
    expect([jobs.length, pushes.length]).toEqual([10, 5]);
    for (const { wait, deletion_seconds } of jobs) {
      expect(wait).toBeGreaterThan(50);
      expect(wait).toBeLessThan(1810);
      expect(deletion_seconds).toBe(3600);
    }
    expect(new Set(jobs.map(({ wait }) => Math.round(wait))).size).toBeGreaterThan(1);
  });
});

describe("unsubscribing from mails about answers", () => {
  test("accepts one POST of a mail provider, which cancels queued mails; opening the page changes nothing", async () => {
    const { author, consultation } = await asker();
    await answer(consultation);
    await delivered(author);
    const { pathname } = linkInLastMail();
    const wantsMails = async () => (await app.call("GET", "/session", undefined, author)).body.user.notify_on_answers;
    await app.page(`/consulta/${consultation}`, author);
    await answer(consultation);
    const page = await app.page(pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain("No quiero más avisos");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(await wantsMails()).toBe(true);

    const parts = new FormData();
    parts.set("List-Unsubscribe", "One-Click");
    // The link does not sign in, and a repeated request has the same effect.
    for (const body of [undefined, parts]) {
      const { status, headers } = await oneClick(pathname, body);
      expect([status, headers.get("set-cookie")]).toEqual([200, null]);
      expect(await wantsMails()).toBe(false);
    }
    expect(await delivered(author)).toBe(1);
    // The page's form without JavaScript.
    const done = await app.form(pathname, {});
    expect(done.status).toBe(200);
    expect(done.text).toContain("Listo: no te enviaremos más avisos");
  });

  test("reverts in the notifications, which invalidates the links of earlier mails", async () => {
    const { author, consultation } = await asker();
    await answer(consultation);
    await delivered(author);
    const { pathname } = linkInLastMail();
    const choose = () => app.form("/notificaciones", { shown: "answers", answers: "on" }, author);
    // Choices that leave the mails on invalidate no link.
    expect((await choose()).status).toBe(302);
    expect((await oneClick(pathname)).status).toBe(200);
    expect((await choose()).status).toBe(302);
    const late = await oneClick(pathname);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("Este enlace ya no sirve");
    await answer(consultation);
    await app.page(`/consulta/${consultation}`, author);
    await answer(consultation);
    expect(await delivered(author)).toBe(2);
    expect(linkInLastMail().pathname).not.toBe(pathname);
  });

  test("responds 410 to an unknown token", async () => {
    for (const token of ["x".repeat(43), "A".repeat(43)]) expect((await oneClick(`/baja/${token}`)).status).toBe(410);
    // Only this page is exempt from the Origin check.
    for (const path of ["/baja/x", "/perfil", `/baja/${"x".repeat(43)}/`, `/baja/${"x".repeat(43)}.data`])
      expect((await oneClick(path)).status, path).toBe(403);
  });
});

describe("mark for new answers", () => {
  test("shows the author a count that disappears when the author looks", async () => {
    const { author, consultation } = await asker({ is_anonymous: true });
    const bystander = await app.person();
    expect(await newAnswers(author)).toBe(0);
    await answer(consultation);
    await answer(consultation);
    expect(await newAnswers(author)).toBe(2);
    for (const other of [bystander, psychologist]) expect(await newAnswers(other)).toBe(0);
    const home = await app.page("/", author);
    expect(home.text).toContain("2 respuestas nuevas");
    for (const other of [bystander, psychologist, null])
      expect((await app.page("/", other)).text).not.toContain("respuestas nuevas");
    // The list resets the header's count. Each row has its mark until its page is opened.
    const list = await app.page("/perfil", author);
    expect(list.text).toContain("2 respuestas nuevas");
    expect(await newAnswers(author)).toBe(0);
    expect((await app.page("/", author)).text).not.toContain("respuestas nuevas");
    expect((await app.page("/perfil", author)).text).toContain("2 respuestas nuevas");
    await app.page(`/consulta/${consultation}`, author);
    expect((await app.page("/perfil", author)).text).not.toContain("respuestas nuevas");
  });

  test("disappears with an answer that was deleted before the author looked", async () => {
    const { author, consultation } = await asker();
    const id = await answer(consultation);
    expect((await app.call("DELETE", `/answers/${id}`, undefined, psychologist)).status).toBe(200);
    expect(await newAnswers(author)).toBe(0);
    expect((await app.page("/perfil", author)).text).not.toContain("respuesta nueva");
    await queue.deliver(app);
    expect(smtp.delivered).toEqual([]);
  });

  test("leaves no data on an anonymised consultation", async () => {
    const { author, consultation } = await asker({ is_anonymous: true });
    await answer(consultation);
    await app.sql("update consultations set answer_mail_id = gen_random_uuid() where id = $1", [consultation]);
    await app.context.db.transaction().execute((tx) => anonymiseTexts(tx, author.id, "rewrite_at", new Date()));
    expect(
      await app.sql(
        "select notify_on_answer, answer_mail_id, answers_received - answers_seen as unseen from consultations where id = $1",
        [consultation],
      ),
    ).toEqual([{ notify_on_answer: false, answer_mail_id: null, unseen: 0 }]);
  });
});
