import { CompiledQuery } from "kysely";
import type { Databases } from "#server/database/handles.ts";

/** A node of a plan, as PostgreSQL reports it. */
export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Scan Direction"?: string;
  Plans?: PlanNode[];
};
export type MeasuredPlan = PlanNode & {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
};
type Handle = Pick<Databases["publicDb"], "executeQuery">;
type Query = { sql: string; parameters: readonly unknown[] };

/** Returns a node and all of its descendants. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function explain<Plan>(db: Handle, options: string, { sql, parameters }: Query): Promise<Plan> {
  const explained = await db.executeQuery<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    CompiledQuery.raw(`explain (${options}, format json) ${sql}`, [...parameters]),
  );
  return explained.rows[0]!["QUERY PLAN"][0].Plan;
}

/** Returns PostgreSQL's plan for a query with its parameters, from the handle that runs it in production. */
export const planOf = (db: Handle, query: Query) => explain<PlanNode>(db, "costs", query);

/** Runs a query and returns its measured plan. */
export const measuredPlanOf = (db: Handle, query: Query) => explain<MeasuredPlan>(db, "analyze, buffers", query);

/** Rows that a node fetched from a table or an index. Rows of a bitmap are counted when PostgreSQL reads its table. */
const rowsOfNode = (node: MeasuredPlan): number =>
  /^(Seq|Index|Index Only|Bitmap Heap|Tid) Scan$/.test(node["Node Type"])
    ? node["Actual Loops"] *
      (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
    : 0;

/** Returns the number of rows that a query read. */
export const rowsReadBy = (plan: MeasuredPlan) =>
  Math.round((nodesOf(plan) as MeasuredPlan[]).reduce((sum, node) => sum + rowsOfNode(node), 0));

/** Returns the number of blocks that a query read. */
export const blocksOf = (plan: MeasuredPlan) => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
