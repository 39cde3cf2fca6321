import type { UndeliveredMailView } from "#shared/admin.ts";
import type { Unversioned, Versioned } from "../../versions.ts";
import type { UndeliveredRow } from "./store.ts";

export const UNDELIVERED: Versioned<UndeliveredRow, Unversioned<UndeliveredMailView>> = {
  kind: "mail",
  present: (row) => ({ ...row, created_at: row.created_at.toISOString() }),
  ignored: [],
};
