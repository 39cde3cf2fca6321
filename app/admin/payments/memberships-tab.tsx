import type { TabData } from "#app/admin/tab-loaders.server.ts";
import type { Tab } from "#app/admin/tabs.ts";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { Funnel } from "./funnel.tsx";
import { Payments } from "./payments.tsx";

export const membershipsTab: Tab<TabData["membresias"]> = {
  Screen: ({ data: { payments, funnel }, now }) => (
    <>
      <Payments payments={payments} now={now} />
      {funnel ? (
        <Funnel funnel={funnel} />
      ) : (
        <ErrorState title="No se pudieron cargar las membresías" action={<Retry />} />
      )}
    </>
  ),
};
