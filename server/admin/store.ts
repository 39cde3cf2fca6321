import { sql } from "kysely";
import { DECISIONS, type Decision } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Db } from "../database/handles.ts";

export const decisionById = (db: Db, id: string) =>
  db
    .selectFrom("audit_log")
    .select(["id", "action", "target_id", "details", "created_at"])
    .where("id", "=", id)
    .where("action", "in", DECISIONS)
    .$narrowType<{ action: Decision }>()
    .executeTakeFirst();
export type DecisionRow = NonNullable<Awaited<ReturnType<typeof decisionById>>>;

type UndoableRow = {
  id: string;
  decision: Decision;
  target_id: string;
  created_at: Date;
  name: string;
  listed_at: Date;
};

/** Returns an administrator's decisions after a time that are still in force, the newest first. */
export const undoableDecisions = (db: Db, actorId: string, after: Date) =>
  sql<UndoableRow>`
    with decided as (
      select id, action as decision, target_id, created_at from audit_log where actor_id = ${actorId} and created_at > ${after}
      order by created_at desc limit ${LIMITS.adminUndoable}
    )
    select decided.*, person.full_name as name, psychologist.created_at as listed_at
      from decided join psychologist_profiles psychologist on psychologist.id = target_id join profiles person on person.id = target_id
      where case decision when 'psychologist_rejected' then verified_at is null and rejected_at = decided.created_at
        else verified_at = decided.created_at end
    union all
    select decided.*, consultation ->> 'title', date_trunc(
        case when (consultation ->> 'is_anonymous')::boolean then 'minute' else 'milliseconds' end,
        (consultation ->> 'created_at')::timestamptz)
      from decided join removed_consultations removed on removed.decision_id = decided.id
      cross join lateral (select removed.rows #> '{consultations,0}' as consultation) stored
    order by created_at desc`
    .execute(db)
    .then((result) => result.rows);
