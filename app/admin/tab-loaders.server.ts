import { loadPsychologists } from "#app/admin/directory/psychologists-tab.server.ts";
import { loadInbox } from "#app/admin/inbox/inbox-tab.server.ts";
import { loadMemberships } from "#app/admin/payments/memberships-tab.server.ts";
import { loadConsultations } from "#app/admin/removal/consultations-tab.server.ts";
import { loadPending } from "#app/admin/verification/pending-tab.server.ts";
import type { TabRequest } from "./tab-request.server.ts";
import type { TabName } from "./tabs.ts";

/** Loader of each tab. Overdue help lines are loaded for all tabs, because their number is on the tab itself. */
const LOADERS = {
  pendientes: loadPending,
  consultas: loadConsultations,
  psicologos: loadPsychologists,
  mensajes: loadInbox,
  membresias: loadMemberships,
  ayuda: async () => null,
} satisfies Record<TabName, (request: TabRequest) => Promise<unknown>>;

export type TabData = { [Name in TabName]: Awaited<ReturnType<(typeof LOADERS)[Name]>> };

export type LoadedTab<Name extends TabName = TabName> = { [One in Name]: { name: One; data: TabData[One] } }[Name];

export const loadTab = async (name: TabName, request: TabRequest): Promise<LoadedTab> =>
  ({ name, data: await LOADERS[name](request) }) as LoadedTab;
