import type { ReactNode } from "react";
import type { AdminSummaryView, OverdueHelpLineView } from "#shared/admin.ts";
import type { FailedDecision } from "./version-conflict.tsx";

/** Tabs of `/admin` by their `?vista=` value. The first is the default. */
export const TABS = ["pendientes", "consultas", "psicologos", "mensajes", "membresias", "ayuda"] as const;
export type TabName = (typeof TABS)[number];

type AdminQuery = Readonly<Record<string, string>>;

export const tabPath = (tab: TabName): string => (tab === TABS[0] ? "/admin" : `/admin?vista=${tab}`);

/** Returns the URL of a tab's list with changed parameters. */
export const tabPathWith = (query: AdminQuery, changes: AdminQuery): string =>
  `/admin?${new URLSearchParams({ ...query, ...changes })}`;

export type TabProps<Data> = {
  /** Data of the tab's loader. A list is null if it failed to load. */
  data: Data;
  query: AdminQuery;
  now: string;
  summary: AdminSummaryView;
  overdue: OverdueHelpLineView[] | null;
  /** The rejected decision. `changed` is set only if its row changed and is on screen. */
  actionError: FailedDecision | null;
  changed: FailedDecision | null;
};

/** A tab's screen, and the rows with decisions. */
export type Tab<Data> = {
  Screen(props: TabProps<Data>): ReactNode;
  rows?(data: Data): readonly { id: string }[];
};
