import type { TabRequest } from "#app/admin/tab-request.server.ts";

export async function loadPending({ api: { admin }, given, orNull }: TabRequest) {
  const [pending, undoable, mails] = await Promise.all([
    orNull(admin.pendingPsychologists({ after: given("despues") })),
    orNull(admin.undoable({})),
    orNull(admin.undeliveredMails({})),
  ]);
  return { pending, undoable, mails };
}
