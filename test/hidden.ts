import type { TestApp } from "./app.ts";

/** Renames a table, a view or a column during `work`, so that queries of it fail. */
export async function withHidden<Result>(
  { sql }: Pick<TestApp, "sql">,
  kind: "table" | "view" | "column",
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const parts = name.split(".");
  const last = parts.pop()!;
  const rename = (from: string, to: string) =>
    kind === "column"
      ? `alter table ${parts.join(".")} rename column ${from} to ${to}`
      : `alter ${kind} ${[...parts, from].join(".")} rename to ${to}`;
  await sql(rename(last, `${last}_hidden`));
  try {
    return await work();
  } finally {
    await sql(rename(`${last}_hidden`, last));
  }
}
