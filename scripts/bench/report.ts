import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import type { Line } from "./compare.ts";

const milliseconds = (value?: number) => (value === undefined ? "" : value < 10 ? value.toFixed(1) : value.toFixed(0));

function cellsOf(line: Line, against: string | null): string[] {
  const spread = line.spread === undefined ? "" : `${Math.round(line.spread * 100)} %`;
  return [
    line.measured,
    line.failures ? `${line.result}, ${line.failures} failed` : line.result,
    spread,
    milliseconds(line.p50),
    milliseconds(line.p99),
    line.processorTime === undefined ? "" : line.processorTime.toPrecision(2),
    line.reference ?? "",
    line.ratio === undefined ? "" : line.ratio.toPrecision(2),
    ...(against ? [line.against ?? ""] : []),
    line.goal,
  ];
}

export function tableOf(lines: Line[], against: string | null): string {
  const heads = ["Measured", "Result", "Spread", "p50 ms", "p99 ms", "CPU ms", "Reference", "Ratio"];
  return columnsOf([
    [...heads, ...(against ? [`At ${against}`] : []), "Goal"],
    ...lines.map((line) => cellsOf(line, against)),
  ]);
}

/** Formats rows, the first with the heads, as a Markdown table with aligned columns. */
function columnsOf(rows: (string | number)[][]): string {
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

\`npm run bench\` writes this page. Across machines and days compare only ratios.

- Date: ${new Date().toISOString().slice(0, 10)}, commit ${git("rev-parse", "--short", "HEAD")}${changed}, \`${run.command}\`
- Machine: ${processors[0]?.model.trim()}, ${processors.length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, PostgreSQL ${run.postgres}
- ${run.rows.toLocaleString("en")} consultations, ${run.processes} processes of the app and of the reference

${tableOf(lines, run.against)}

**Method.** The app runs before and after its reference with the same load. Result: the median. Spread: highest minus lowest
measurement of the app, as a part of the median. p50, p99: the app's. CPU: processor time per request without PostgreSQL,
which depends less on other programs. App, reference, PostgreSQL and load generator share the cores, and the generator limits the reference
of pages, so compare the CPU of cheap pages too.

**References.** Pages: a plain \`node:http\` server that sends the same encoded bytes and headers from memory, for the 10,000 pages 200
of them. API: \`node:http\` and \`pg\` with the same SQL and transactions, without sessions and limits (\`scripts/bench/reference.ts\`).
`;
}
