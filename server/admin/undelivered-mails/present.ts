import type { UndeliveredMailView } from "#shared/admin.ts";
import type { Unversioned, Versioned } from "../../versions.ts";
import type { UndeliveredRow } from "./store.ts";

export const UNDELIVERED: Versioned<UndeliveredRow, Unversioned<UndeliveredMailView>> = {
  kind: "mail",
  present: ({ id, kind, created_at, attempts, gave_up, last_error }) => ({
    id,
    kind,
    created_at: created_at.toISOString(),
    attempts,
    gave_up,
    last_error,
  }),
  ignored: [],
};
