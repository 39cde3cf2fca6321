import type pg from "pg";

type Value = string | number | boolean | Date | null;

/** Rows per COPY statement: some megabytes of text. */
const BATCH = 10_000;

function field(value: Value): string {
  if (value === null) return "\\N";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" && /[\\\t\n\r]/.test(value)
    ? value.replace(/[\\\t\n\r]/g, (one) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n" })[one] ?? "\\r")
    : String(value);
}

/** Undocumented methods of a `pg` connection for COPY. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

const copy = (client: pg.Client, statement: string, lines: string) =>
  new Promise<void>((done, fail) => {
    client.query({
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(lines));
        connection.endCopyFrom();
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => done(),
      handleError: (error: Error) => fail(error),
    } as unknown as pg.Submittable);
  });

/** Collects rows of one table and sends them by COPY. Call `end` after the last row. */
export function copier(client: pg.Client, table: string, columns: string) {
  const statement = `copy ${table} (${columns.trim().split(/\s+/).join(", ")}) from stdin`;
  let lines: string[] = [];
  const flush = async () => {
    const batch = lines;
    lines = [];
    if (batch.length) await copy(client, statement, `${batch.join("\n")}\n`);
  };
  return {
    async add(...values: Value[]): Promise<void> {
      lines.push(values.map(field).join("\t"));
      if (lines.length >= BATCH) await flush();
    },
    end: flush,
  };
}
