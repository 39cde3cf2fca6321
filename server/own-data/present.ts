import { ExportView } from "#shared/own-data.ts";

export type ListName = Exclude<keyof ExportView, "exported_at" | "account" | "psychologist">;

/**
 * Formats JSON as a part of an indented document.
 * @param depth number of spaces before each further line
 */
const indented = (value: unknown, depth: number) =>
  JSON.stringify(value, null, 1).replaceAll("\n", `\n${" ".repeat(depth)}`);

const serialise = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  );

/** Starts the JSON of an export. The contract's view drops all other fields. */
export function exportStart(
  { avatar_url, ...account }: { avatar_url: string | null },
  psychologist: object | undefined,
  visits: object[],
  now: Date,
): string {
  const { shape } = ExportView;
  const start = {
    exported_at: now.toISOString(),
    account: shape.account.parse({ ...serialise(account), photo: avatar_url }),
    psychologist: shape.psychologist.parse(
      psychologist ? { ...serialise(psychologist), profile_visits: visits } : null,
    ),
  };
  return JSON.stringify(start, null, 1).slice(0, -"\n}".length);
}

/** Continues the JSON of an export with a list, one piece per batch. The contract's view drops all other fields. */
export async function* exportList(name: ListName, batches: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,\n "${name}": [`;
  let separator = "";
  for await (const rows of batches) {
    const items = ExportView.shape[name].parse(rows.map(serialise)).map((item) => `\n  ${indented(item, 2)}`);
    if (!items.length) continue;
    yield separator + items.join(",");
    separator = ",";
  }
  yield separator ? "\n ]" : "]";
}

export const EXPORT_END = "\n}";
