import { psychologistsTab } from "#app/admin/directory/psychologists-tab.tsx";
import { helpLinesTab } from "#app/admin/help-lines/help-lines-tab.tsx";
import { inboxTab } from "#app/admin/inbox/inbox-tab.tsx";
import { membershipsTab } from "#app/admin/payments/memberships-tab.tsx";
import { consultationsTab } from "#app/admin/removal/consultations-tab.tsx";
import { pendingTab } from "#app/admin/verification/pending-tab.tsx";
import type { LoadedTab, TabData } from "./tab-loaders.server.ts";
import type { Tab, TabName, TabProps } from "./tabs.ts";

const SCREENS: { [Name in TabName]: Tab<TabData[Name]> } = {
  pendientes: pendingTab,
  consultas: consultationsTab,
  psicologos: psychologistsTab,
  mensajes: inboxTab,
  membresias: membershipsTab,
  ayuda: helpLinesTab,
};

/** True if the tab contains the row with this id. */
export const showsRow = <Name extends TabName>({ name, data }: LoadedTab<Name>, id: string): boolean =>
  Boolean(SCREENS[name].rows?.(data).some((row) => row.id === id));

export function TabScreen<Name extends TabName>({
  tab: { name, data },
  ...shown
}: { tab: LoadedTab<Name> } & Omit<TabProps<never>, "data">) {
  const { Screen } = SCREENS[name];
  return <Screen data={data} {...shown} />;
}
