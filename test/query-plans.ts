import { CompiledQuery } from "kysely";
import type { Databases } from "#server/database/handles.ts";

/** What PostgreSQL says of a step of a plan. */
export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Scan Direction"?: string;
  Plans?: PlanNode[];
};
type MeasuredPlan = PlanNode & { "Shared Hit Blocks": number; "Shared Read Blocks": number };
type Handle = Pick<Databases["publicDb"], "executeQuery">;
type Query = { sql: string; parameters: readonly unknown[] };

/** A step and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function explain<Plan>(db: Handle, options: string, { sql, parameters }: Query): Promise<Plan> {
  const explained = await db.executeQuery<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    CompiledQuery.raw(`explain (${options}, format json) ${sql}`, [...parameters]),
  );
  return explained.rows[0]!["QUERY PLAN"][0].Plan;
}

/** What PostgreSQL would do for a query, asked through the handle that serves it, with its parameters. */
export const planOf = (db: Handle, query: Query) => explain<PlanNode>(db, "costs", query);

/** What it did: the query is run. */
export const measuredPlanOf = (db: Handle, query: Query) => explain<MeasuredPlan>(db, "analyze, buffers", query);

/** How many blocks a query read. */
export const blocksOf = (plan: MeasuredPlan) => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
