import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import type { Line } from "./compare.ts";

const milliseconds = (value?: number) => (value === undefined ? "" : value < 10 ? value.toFixed(1) : value.toFixed(0));

function cellsOf(line: Line, against: string | null): string[] {
  const spread = line.spread === undefined ? "" : `${Math.round(line.spread * 100)} %`;
  return [
    line.measured,
    line.result,
    spread,
    milliseconds(line.p50),
    milliseconds(line.p99),
    line.processorTime === undefined ? "" : line.processorTime.toPrecision(2),
    line.reference ?? "",
    line.ratio === undefined ? "" : line.ratio.toPrecision(2),
    ...(against ? [line.against ?? ""] : []),
    line.failures ? String(line.failures) : "",
    line.goal,
  ];
}

export function tableOf(lines: Line[], against: string | null): string {
  const heads = ["Measured", "Result", "Spread", "p50 ms", "p99 ms", "CPU ms", "Reference", "Ratio"];
  return columnsOf([
    [...heads, ...(against ? [`At ${against}`] : []), "Failed", "Goal"],
    ...lines.map((line) => cellsOf(line, against)),
  ]);
}

/** Formats rows, the first with the heads, as a Markdown table with aligned columns. */
export function columnsOf(rows: (string | number)[][]): string {
  const texts = rows.map((cells) => cells.map(String));
  const widths = texts[0]!.map((_, column) => Math.max(...texts.map((cells) => cells[column]!.length)));
  const text = texts.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`);
  return [text[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...text.slice(1)].join("\n");
}

export function documentOf(
  lines: Line[],
  run: { command: string; against: string | null; rows: number; processes: number; postgres: string; root: string },
): string {
  const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: run.root, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", "app", "server", "shared", "migrations")
    ? " with local changes"
    : "";
  const processors = cpus();
  return `# Benchmarks

\`npm run bench\` writes this page. Figures of different machines or days cannot be compared. Ratios can.

- Date: ${new Date().toISOString().slice(0, 10)}, commit ${git("rev-parse", "--short", "HEAD")}${changed}
- Command: \`${run.command}\`
- Machine: ${processors[0]?.model.trim()}, ${processors.length} cores, ${Math.round(totalmem() / 2 ** 30)} GB
- Versions: Node ${process.versions.node}, PostgreSQL ${run.postgres}
- Community: ${run.rows.toLocaleString("en")} consultations
- Processes of the app and of the reference: ${run.processes}

${tableOf(lines, run.against)}

**Method.** The app is measured before and after its reference with the same load. The result is the median. The spread is
the difference between the highest and the lowest measurement of the app, as a part of the median. p50 and p99 are the
app's. CPU is processor time per request, without PostgreSQL. It depends less on other programs. The load
generator limits the reference of pages, so compare the processor times of cheap pages too.

**References.** Pages: a plain \`node:http\` server that sends the same encoded bytes with the same headers from memory. The
10,000 pages are represented by 200 of them. API: \`node:http\` and \`pg\` with the same SQL in the same transactions, without
sessions and limits (\`scripts/bench/reference.ts\`). App, reference, PostgreSQL and load generator share the cores.
`;
}
