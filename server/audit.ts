import type { Tx } from "./database/handles.ts";

/**
 * Inserts an audit entry; automatic actions have no actor.
 * @param row with an id if another row or job refers to it, such as the mail of a decision
 */
export const insertAudit = (
  tx: Tx,
  row: {
    id?: string;
    actor_id: string | null;
    action: string;
    target_id: string;
    details?: Record<string, unknown>;
    created_at: Date;
  },
) =>
  tx
    .insertInto("audit_log")
    .values({ ...row, details: JSON.stringify(row.details ?? {}) })
    .execute();
