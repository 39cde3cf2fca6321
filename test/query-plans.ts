import { CompiledQuery } from "kysely";
import type { Databases } from "#server/database/handles.ts";

type MeasuredPlan = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: MeasuredPlan[];
};

export async function measuredPlanOf(
  db: Pick<Databases["publicDb"], "executeQuery">,
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
): Promise<MeasuredPlan> {
  const explained = await db.executeQuery<{ "QUERY PLAN": [{ Plan: MeasuredPlan }] }>(
    CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]),
  );
  return explained.rows[0]!["QUERY PLAN"][0].Plan;
}

/** Rows that a node fetched from a table or an index. Rows of a bitmap are counted when PostgreSQL reads its table. */
const rowsOfNode = (node: MeasuredPlan): number =>
  /^(Seq|Index|Index Only|Bitmap Heap|Tid) Scan$/.test(node["Node Type"])
    ? node["Actual Loops"] *
      (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
    : 0;

const nodesOf = (node: MeasuredPlan): MeasuredPlan[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

export const rowsReadBy = (plan: MeasuredPlan) =>
  Math.round(nodesOf(plan).reduce((sum, node) => sum + rowsOfNode(node), 0));
