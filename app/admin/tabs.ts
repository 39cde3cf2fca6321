import type { ReactNode } from "react";
import type { AdminSummaryView, OverdueHelpLineView } from "#shared/admin.ts";
import type { RefusedDecision } from "./changed.tsx";

/** The tabs of `/admin` by the word of its address, `?vista=`; without one it shows the first. */
export const TABS = ["pendientes", "consultas", "psicologos", "mensajes", "membresias", "ayuda"] as const;
export type TabName = (typeof TABS)[number];

/** The parameters of the page's address, as they are. */
type AdminQuery = Readonly<Record<string, string>>;

/** The address of a tab. */
export const tabAddress = (tab: TabName): string => (tab === TABS[0] ? "/admin" : `/admin?vista=${tab}`);

/** The address of a tab's list with other parameters. */
export const listAddress = (query: AdminQuery, changes: AdminQuery): string =>
  `/admin?${new URLSearchParams({ ...query, ...changes })}`;

/** What the page gives the screen of each tab. */
export type TabProps<Data> = {
  /** What the tab's own loader read; a list that could not be loaded is null. */
  data: Data;
  query: AdminQuery;
  now: string;
  summary: AdminSummaryView;
  overdue: OverdueHelpLineView[] | null;
  /** The decision that was refused, and the same only where its row changed and is shown. */
  refused: RefusedDecision | null;
  changed: RefusedDecision | null;
};

/** A tab's screen, and the rows in it that decisions are about. */
export type Tab<Data> = {
  Screen(props: TabProps<Data>): ReactNode;
  rows?(data: Data): readonly { id: string }[];
};
