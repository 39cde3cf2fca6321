import type { TabData } from "#app/admin/tab-loaders.server.ts";
import type { Tab } from "#app/admin/tabs.ts";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { Inbox } from "./inbox.tsx";

export const inboxTab: Tab<TabData["mensajes"]> = {
  Screen: ({ data: { inbox }, now }) =>
    inbox ? (
      <Inbox inbox={inbox} now={now} />
    ) : (
      <ErrorState title="No se pudieron cargar los mensajes" action={<Retry />} />
    ),
};
