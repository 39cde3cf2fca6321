import { describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { setUpAdmin, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { undoSteps } from "#test/undoing.ts";
import { verificationSteps } from "#test/verification.ts";
import { sendMail } from "../../background.ts";
import { MAIL_QUEUE, type MailJob } from "../../mail/queues.ts";

const { app, mailbox, sent } = setUpTestAppWithMailbox();
const admin = setUpAdmin(app);
const { versionOf, expireUndoWindow, deliver, pending, stateOf, auditOf, approve, reject } = verificationSteps(
  app,
  admin,
  mailbox,
);
const { now, wait, undo, undoable } = undoSteps(app, admin);

describe("undoing a decision about a psychologist", () => {
  const decisionAbout = async (person: TestUser) =>
    (
      await app.sql<{ id: string }>("select id from audit_log where target_id = $1 order by created_at desc limit 1", [
        person.id,
      ])
    )[0]!.id;

  test("restores the previous state, writes an audit entry, cancels the mail", async () => {
    const waiting = await pending("Ada Apresurada");
    const rejected = new Date(now().getTime() - DAY);
    await app.sql("update psychologist_profiles set rejected_at = $2 where id = $1", [waiting.id, rejected]);
    const version = await versionOf(waiting.id);
    expect((await approve(waiting.id)).status).toBe(200);
    const id = await decisionAbout(waiting);
    wait(3);
    expect(await undoable()).toEqual([
      {
        id,
        decision: "psychologist_approved",
        target_id: waiting.id,
        name: "Ada Apresurada",
        listed_at: expect.stringMatching(/Z$/),
        seconds_left: LIMITS.undoSeconds - 3,
      },
    ]);
    expect(await undo(id)).toMatchObject({ status: 200, body: { done: true } });
    expect(await stateOf(waiting)).toEqual({ is_verified: false, verified_at: null, rejected_at: rejected });
    expect(await versionOf(waiting.id)).toBe(version);
    expect(await undoable()).toEqual([]);
    expect((await auditOf(waiting)).map(({ action, actor_id, details }) => [action, actor_id, details])).toEqual([
      ["psychologist_approved", admin.id, expect.anything()],
      ["decision_undone", admin.id, { decision: id }],
    ]);
    await deliver();
    expect(sent).toEqual([]);
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
  });

  test.each([
    ["psychologist_rejected", 0, (id: string) => reject(id, "Un motivo")],
    ["licence_checked_again", 400, approve],
  ] as const)("restores a verification with its date after the decision %s", async (decision, age, decide) => {
    const person = await app.person({ type: "psychologist" });
    const checked = new Date(now().getTime() - age * DAY);
    await app.sql("update psychologist_profiles set verified_at = $2 where id = $1", [person.id, checked]);
    const before = await stateOf(person);
    await decide(person.id);
    wait(LIMITS.undoSeconds - 0.001);
    expect((await undoable())[0]).toMatchObject({ decision, target_id: person.id });
    expect((await undo(await decisionAbout(person))).status).toBe(200);
    expect(await stateOf(person)).toEqual(before);
    await deliver();
    expect(sent).toEqual([]);
  });

  test("responds 409 without changes after 15 s or when a worker has the mail", async () => {
    const [late, taken] = [await pending(), await pending()];
    await approve(late.id);
    // The mail waits until the decision cannot be undone.
    const [mail] = await app.sql<{ seconds: number }>(
      "select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where name = $1",
      [MAIL_QUEUE],
    );
    expect(mail!.seconds).toBeGreaterThan(LIMITS.undoSeconds + 0.5);
    wait(LIMITS.undoSeconds);
    expect(await undoable()).toEqual([]);
    expect(await undo(await decisionAbout(late))).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    await approve(taken.id);
    await deliver();
    expect(await undo(await decisionAbout(taken))).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    expect(sent.map((mail) => mail.to.address).sort()).toEqual([late.email, taken.email].sort());
    for (const person of [late, taken]) {
      expect(await stateOf(person)).toMatchObject({ is_verified: true });
      expect(await auditOf(person)).toHaveLength(1);
    }
  });

  test("refuses to undo an older decision and sends only the mail of the newer one", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const first = await decisionAbout(waiting);
    wait(1);
    await reject(waiting.id, "Pensado de nuevo");
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
    expect((await undoable()).map(({ decision }: { decision: string }) => decision)).toEqual(["psychologist_rejected"]);
    await deliver();
    expect(sent.map((mail) => mail.subject)).toEqual([expect.stringContaining("No hemos podido verificar")]);
  });

  test("restores the older decision with its mail, which then can be undone too", async () => {
    const [kept, undone] = [await pending(), await pending()];
    for (const person of [kept, undone]) {
      await reject(person.id, "El primer motivo");
      wait(1);
      await approve(person.id);
      wait(1);
      expect((await undo(await decisionAbout(person))).status).toBe(200);
      expect(await stateOf(person)).toMatchObject({ is_verified: false, rejected_at: expect.any(Date) });
    }
    const [older] = await app.sql<{ id: string }>(
      "select id from audit_log where target_id = $1 and action = 'psychologist_rejected'",
      [undone.id],
    );
    expect((await undo(older!.id)).status).toBe(200);
    expect(await stateOf(undone)).toEqual({ is_verified: false, verified_at: null, rejected_at: null });
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([kept.email]);
    expect(sent[0]!.text).toContain("Motivo: El primer motivo");
  });

  test.each([
    ["approval", approve],
    ["rejection", reject],
  ] as const)("responds 409 to the undo of the %s without a mail if a checked field changed", async (_, decide) => {
    const waiting = await pending();
    await decide(waiting.id);
    await app.sql(
      "update psychologist_profiles set verified_at = null, rejected_at = null, license_number = 'MP 9' where id = $1",
      [waiting.id],
    );
    expect(await undo(await decisionAbout(waiting))).toMatchObject({ body: { code: "undo_superseded" } });
    await deliver();
    expect(sent).toEqual([]);
  });

  test("competes with the mail's worker: exactly one of the two wins in each round", async () => {
    for (let round = 0; round < (FULL_RUN ? 20 : 4); round++) {
      const waiting = await pending();
      await approve(waiting.id);
      const id = await decisionAbout(waiting);
      await expireUndoWindow();
      sent.length = 0;
      const work = async () => {
        for (const job of await app.context.boss.fetch<MailJob>(MAIL_QUEUE)) await sendMail(app.context, job.data);
      };
      // Both orders are possible.
      const both = round % 2 ? [undo(id), work()] : [work(), undo(id)];
      const status = (await Promise.all(both)).find((one) => one !== undefined)!.status;
      expect(status === 200 ? sent.length : sent.length - 1, `round ${round}: ${status}`).toBe(0);
      expect(await stateOf(waiting)).toMatchObject({ is_verified: status !== 200 });
    }
  });

  test("undoes a decision once and responds 409 to 9 concurrent requests", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const id = await decisionAbout(waiting);
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await auditOf(waiting)).map(({ action }) => action).sort()).toEqual([
      "decision_undone",
      "psychologist_approved",
    ]);
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual([]);
  });

  test("works without JavaScript on the page after the decision", async () => {
    await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
    const waiting = await pending("Fermín Formulario");
    const decided = await app.form(
      "/admin",
      { intent: "approve", id: waiting.id, version: await versionOf(waiting.id) },
      admin,
    );
    expect([decided.status, decided.headers.get("location")]).toEqual([302, "/admin"]);
    const id = await decisionAbout(waiting);
    wait(5);
    const strip = (await app.page("/admin", admin)).text;
    expect(strip).toContain("Nadie espera verificación.");
    expect(strip).toMatch(/Psicólogo aprobado<!-- -->:<\/b> .*Fermín Formulario/);
    expect(strip.replaceAll("<!-- -->", "")).toContain(`El correo sale en ${LIMITS.undoSeconds - 5} segundos.`);
    expect(strip).toContain(`name="id" value="${id}"`);
    const undone = await app.form("/admin", { intent: "undo", id }, admin);
    expect([undone.status, undone.headers.get("location")]).toEqual([302, "/admin"]);
    expect(undone.headers.get("set-cookie")).toContain("notice=decision_undone.");
    const after = (await app.page("/admin", admin)).text;
    expect(after).toContain(`id="d-${waiting.id}"`);
    expect(after).not.toContain("Deshacer");
    const late = await app.form("/admin", { intent: "undo", id }, admin);
    expect(late.status).toBe(409);
    expect(late.text).toContain("Ya no se puede deshacer");
  });
});
