import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setUpAdmin, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { verificationSteps } from "#test/verification.ts";
import { mailVersion } from "#test/versions.ts";
import { MAIL_QUEUE } from "../mail/queues.ts";

const { app, mailbox, sent } = setUpTestAppWithMailbox();
const admin = setUpAdmin(app);
const { expireUndoWindow, deliver, pending, approve } = verificationSteps(app, admin, mailbox);

describe("undelivered mails", () => {
  const list = async () => (await app.call("GET", "/admin/mails", undefined, admin)).body;
  const retry = async (id: string) =>
    app.call("POST", `/admin/mails/${id}/retry`, { version: await mailVersion(app, admin, id) }, admin);
  /** Fails the next attempt as the worker does when the mail server refuses. */
  async function failOnce(message: string) {
    await expireUndoWindow();
    const [job] = await app.context.boss.fetch(MAIL_QUEUE);
    await app.context.boss.fail(MAIL_QUEUE, job!.id, new Error(message));
    return job!.id;
  }
  const due = () => app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);

  test("appear after the first failure with the number of attempts and the error", async () => {
    await approve((await pending()).id);
    expect(await list()).toEqual([]);
    const id = await failOnce("451 try later");
    const shown = {
      id,
      version: expect.any(String),
      kind: "psychologist_approved",
      created_at: expect.stringMatching(/Z$/),
      attempts: 1,
      gave_up: false,
      last_error: "451 try later",
    };
    expect(await list()).toEqual([shown]);
    await due();
    await failOnce("452 still not");
    expect(await list()).toEqual([{ ...shown, attempts: 2, last_error: "452 still not" }]);
    expect((await app.page("/admin", admin)).status).toBe(200);
  });

  test("leave at once when the administrator retries them", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const id = await failOnce("451 try later");
    await deliver();
    expect(sent).toEqual([]); // Not due yet.
    expect(await retry(id)).toMatchObject({ status: 200, body: { done: true } });
    expect(await app.sql("select actor_id, action from audit_log where target_id = $1", [id])).toEqual([
      { actor_id: admin.id, action: "mail_retried" },
    ]);
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([waiting.email]);
    expect(await list()).toEqual([]);
  });

  test("stay after the last attempt, when the administrator can send them again", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    await app.sql("update pgboss.job set retry_limit = 1 where name = $1", [MAIL_QUEUE]);
    await failOnce("451 try later");
    await due();
    const id = await failOnce("550 never");
    expect(await list()).toMatchObject([{ id, attempts: 2, gave_up: true, last_error: "550 never" }]);
    await due();
    await deliver();
    expect(sent).toEqual([]);
    expect((await retry(id)).status).toBe(200);
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([waiting.email]);
    expect(await list()).toEqual([]);
  });

  test("exclude queued, sent and unknown mails from a retry", async () => {
    await approve((await pending()).id);
    const [queued] = await app.sql<{ id: string }>("select id from pgboss.job where name = $1", [MAIL_QUEUE]);
    for (const id of [queued!.id, randomUUID()]) expect((await retry(id)).status).toBe(409);
    await deliver();
    expect((await retry(queued!.id)).status).toBe(409);
    const byForm = await app.form("/admin", { intent: "retry", id: queued!.id, version: "v" }, admin);
    expect(byForm.text).not.toContain("Página no encontrada");
    await deliver();
    expect(sent).toHaveLength(1);
  });
});
