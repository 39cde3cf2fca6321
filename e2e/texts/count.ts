import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FullResult, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { FULL_RUN } from "#test/full-run.ts";
import { nameOf, quotedTexts, SEEN } from "./quoted.ts";

/**
 * Compares the specification's quoted texts with the texts that tests have shown. A full run of the whole suite fails
 * if they differ.
 */
export default class Count implements Reporter {
  readonly #seen = new Set<string>();
  #files = new Set<string>();

  onBegin(_config: unknown, suite: Suite): void {
    this.#files = new Set(suite.allTests().map((test) => test.location.file));
  }

  onTestEnd(_test: TestCase, result: TestResult): void {
    if (result.status !== "passed") return;
    for (const { type, description = "" } of result.annotations) if (type === SEEN) this.#seen.add(description);
  }

  async onEnd(): Promise<{ status?: FullResult["status"] } | undefined> {
    const all = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".spec.ts"));
    const some = process.argv.some((word) => /^(-g|-G|--grep|--shard|--last-failed|--only-changed)|:\d+$/.test(word));
    if (!FULL_RUN || some || !all.every((file) => this.#files.has(join(import.meta.dirname, file)))) return;

    const quoted = new Set(quotedTexts().map(nameOf));
    const complaints = [...quoted].filter((name) => !this.#seen.has(name)).map((name) => `seen nowhere: ${name}`);
    const seen = [...quoted].filter((name) => this.#seen.has(name)).length;
    console.log(`\nQuoted texts of the specification: ${quoted.size}. Seen in their situations: ${seen}.`);
    if (!complaints.length) return;
    console.log(complaints.map((complaint) => `  ${complaint}`).join("\n"));
    return { status: "failed" };
  }
}
