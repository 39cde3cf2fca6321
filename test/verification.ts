import { beforeEach } from "vitest";
import { MAIL_QUEUE } from "#server/mail/queues.ts";
import type { TestApp, TestUser } from "./app.ts";
import type { openMailbox } from "./mailbox.ts";
import { psychologistVersion } from "./versions.ts";

/** The administrator's operations on pending psychologists, and queries of the results. Each test starts without jobs. */
export function verificationSteps(app: TestApp, admin: TestUser, mailbox: ReturnType<typeof openMailbox>) {
  beforeEach(async () => {
    await app.sql("delete from pgboss.job");
  });
  const versionOf = (id: string) => psychologistVersion(app, admin, id);
  /** Simulates the end of the seconds in which a decision can be undone: the waiting mails become due. */
  const expireUndoWindow = () =>
    app.sql("update pgboss.job set start_after = now() where name = $1 and state = 'created'", [MAIL_QUEUE]);
  return {
    versionOf,
    expireUndoWindow,
    /** Sends the queued mails, like the worker does when decisions cannot be undone any more. */
    async deliver(): Promise<void> {
      await expireUndoWindow();
      await mailbox.deliver(app);
    },
    pending: (name?: string) => app.person({ type: "psychologist", verified: false, name }),
    async stateOf({ id }: TestUser) {
      const state = "select is_verified, verified_at, rejected_at from psychologist_profiles where id = $1";
      return (await app.sql(state, [id]))[0];
    },
    auditOf: (person: TestUser) =>
      app.sql("select actor_id, action, details, created_at from audit_log where target_id = $1 order by created_at", [
        person.id,
      ]),
    approve: async (id: string, version?: string) =>
      app.call("PUT", `/admin/psychologists/${id}/verification`, { version: version ?? (await versionOf(id)) }, admin),
    reject: async (id: string, reason?: string) =>
      app.call("DELETE", `/admin/psychologists/${id}/verification`, { version: await versionOf(id), reason }, admin),
  };
}
