import type { TabData } from "#app/admin/tab-loaders.server.ts";
import type { Tab } from "#app/admin/tabs.ts";
import { UndeliveredMails } from "#app/admin/undelivered-mails/undelivered-mails.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PendingPsychologists } from "./pending-psychologists.tsx";

export const pendingTab: Tab<TabData["pendientes"]> = {
  Screen: ({ data: { pending, undoable, mails }, summary, query, now, actionError, changed }) => (
    <>
      <PendingPsychologists
        list={pending}
        more={summary.pending > LIMITS.adminPending}
        further={Boolean(query.despues)}
        now={now}
        actionError={actionError}
        undoable={undoable}
      />
      <UndeliveredMails list={mails} now={now} changed={changed} />
    </>
  ),
  rows: ({ pending, mails }) => [...(pending ?? []), ...(mails ?? [])],
};
