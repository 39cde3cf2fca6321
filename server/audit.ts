import type { Row, Tx } from "./database/handles.ts";

/**
 * Inserts an audit entry; automatic actions have no actor.
 * @param row with an id if another row or job refers to it, such as the mail of a decision
 */
export const insertAudit = (
  tx: Tx,
  row: Omit<Row<"audit_log">, "id" | "details"> & { id?: string; details?: Record<string, unknown> },
) => tx.insertInto("audit_log").values(row).execute();
