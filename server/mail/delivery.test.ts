import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "#test/app.ts";
import { waitUntilFound } from "#test/eventually.ts";
import { headerOf, headersOf, mailServer, partsOf } from "#test/mail-server.ts";
import { mailJobs } from "#test/mailbox.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpAdmin, setUpOnce } from "#test/suite-setup.ts";
import { sendMail } from "../background.ts";
import { MAIL_QUEUE, queueMail } from "./queues.ts";

const smtp = mailServer();

describe("mail over SMTP", () => {
  const app = setUpOnce(() =>
    openTestApp({ workers: true, environment: { SMTP_URL: smtp.url, MAIL_FROM: "hola@divan.example" } }),
  );
  const admin = setUpAdmin(app);
  afterAll(() => app.close());
  beforeEach(() => app.sql("delete from pgboss.job where name = $1", [MAIL_QUEUE]));

  const deliveredTo = (address: string) =>
    waitUntilFound(() => smtp.delivered.find(({ to }) => to.includes(address)), `a mail to ${address}`);
  const dueNow = () => app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);
  const undelivered = async () => (await app.call("GET", "/admin/mails", undefined, admin)).body;
  const jobIn = (state: string) =>
    waitUntilFound(async () => (await mailJobs(app)).find((job) => job.state === state), `a job in state ${state}`);

  test("arrives at one recipient as text and HTML with the same content", async () => {
    const email = uniqueEmail();
    await app.call("POST", "/registrations", registration(email));
    const { raw, from, to } = await deliveredTo(email);
    expect({ from, to }).toEqual({ from: "hola@divan.example", to: [email] });
    expect(headerOf(raw, "Subject")).toBe("Confirma tu correo en Diván");
    expect(headerOf(raw, "From")).toBe("Diván <hola@divan.example>");
    expect(headerOf(raw, "To")).toBe(email);
    expect(headerOf(raw, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(raw, "Content-Type")).toMatch(/^multipart\/alternative/);
    const parts = partsOf(raw);
    expect(Object.keys(parts)).toEqual(["text/plain", "text/html"]);
    const link = /http\S+\/auth\/confirmar\?token=[\w-]{43}/.exec(parts["text/plain"]!)![0];
    expect(new URL(link).origin).toBe(app.url);
    expect(parts["text/html"]).toContain(`href="${link}"`);
    for (const part of Object.values(parts)) {
      expect(part).toContain("Hola:");
      expect(part).toContain("24 horas");
      expect(part).toContain(`mira las líneas de ayuda de tu país: ${app.url}/ayuda`);
    }
    // Opening the mail loads nothing.
    expect(parts["text/html"]).not.toMatch(/<(img|link|script|iframe)|url\(|src=/i);
    expect(await app.sql("select from demo_mails")).toEqual([]);
    expect(app.log.join("\n")).not.toContain(email);
  });

  test("gets no header or recipient from a name", async () => {
    const person = await app.person();
    // As if the schema had allowed them.
    for (const name of ["Rosa\r\nBcc: otra@evil.example", "otra@evil.example, Rosa", "=?utf-8?q?R=0d=0aX-Evil:_1?="]) {
      await app.sql("update profiles set full_name = $2 where id = $1", [person.id, name]);
      await sendMail(app.context, { kind: "password_changed", profile_id: person.id });
      const { to, raw } = smtp.delivered.pop()!;
      expect(to).toEqual([person.email]);
      const names = [...headersOf(raw).matchAll(/^([\w-]+):/gm)].map(([, header]) => header!.toLowerCase()).toSorted();
      expect(names.join(" ")).toBe("auto-submitted content-type date from message-id mime-version subject to");
      expect(headerOf(raw, "Subject")).toBe("Tu contraseña de Diván ha cambiado");
      expect(headerOf(raw, "Message-ID")).not.toContain(person.id);
    }
  });

  test("waits after a refusal until the server accepts it", async () => {
    smtp.state.mode = "refuse the mail";
    const email = uniqueEmail();
    expect((await app.call("POST", "/registrations", registration(email))).status).toBe(202);
    const waiting = await jobIn("retry");
    expect(waiting.output).toMatchObject({ message: expect.stringContaining("451") });
    const [job] = await app.sql(
      "select extract(epoch from start_after - now())::float as seconds, retry_limit, retry_delay_max from pgboss.job where id = $1",
      [waiting.id],
    );
    expect(job!.seconds).toBeGreaterThan(20);
    expect(job!.seconds).toBeLessThan(70);
    // About a day.
    expect(job).toMatchObject({ retry_limit: 60, retry_delay_max: 1800 });
    expect(smtp.delivered).toEqual([]);
    smtp.state.mode = "take";
    await dueNow();
    const { raw } = await deliveredTo(email);
    expect(partsOf(raw)["text/plain"]).toContain("/auth/confirmar?token=");
    await jobIn("completed");
    expect(smtp.delivered).toHaveLength(1);
  });

  test("hides the recipient if the server's refusal quotes it", async () => {
    smtp.state.mode = "refuse the recipient";
    const { email } = await app.person();
    await app.call("POST", "/recoveries", { email });
    const waiting = await jobIn("retry");
    expect(JSON.stringify(waiting)).not.toContain(email);
    const [mail] = await undelivered();
    expect(mail).toMatchObject({ id: waiting.id, kind: "recover_password", attempts: 1 });
    expect(mail.last_error).toMatch(/452 <…>: mailbox full/);
    expect(app.log.join("\n")).not.toContain(email);
    smtp.state.mode = "take";
    expect((await app.call("POST", `/admin/mails/${mail.id}/retry`, { version: mail.version }, admin)).status).toBe(
      200,
    );
    await deliveredTo(email);
  });

  test("leaves again within 3 min if its worker died", async () => {
    const { id, email } = await app.person();
    // No worker of this app fetches the mail, as if the dead worker had it.
    await queueMail(app.context.boss, null, { kind: "password_changed", profile_id: id }, { startAfter: 600 });
    await app.sql("update pgboss.job set state = 'active', started_on = now() - interval '3 minutes' where name = $1", [
      MAIL_QUEUE,
    ]);
    await app.sql("update pgboss.queue set monitor_on = null");
    await app.context.boss.supervise(MAIL_QUEUE);
    await jobIn("retry");
    await dueNow();
    await deliveredTo(email);
  });
});
