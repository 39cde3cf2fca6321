import { relative } from "node:path";
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { recordFailure } from "../scripts/failures.ts";

/** Collects the failures, which are printed at the end of the whole run. */
export default class Failures implements Reporter {
  #root = "";

  onBegin(config: FullConfig, _suite: Suite): void {
    this.#root = config.rootDir;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    const [, project, , ...titles] = test.titlePath();
    const place = `${relative(this.#root, test.location.file)}:${test.location.line}`;
    recordFailure(`${place} [${project}] ${titles.join(" > ")}`, result.error?.message ?? result.status);
  }

  onError(error: TestError): void {
    recordFailure("outside of any test", error.message ?? "");
  }
}
