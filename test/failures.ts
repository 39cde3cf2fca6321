import type { Reporter, TestModule } from "vitest/node";
import { recordFailure } from "../scripts/failures.ts";

/** Collects the failures, which are printed at the end of the whole run. */
export default class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()];
      for (const { message } of suites.flatMap((suite) => suite.errors()))
        recordFailure(module.relativeModuleId, message);
      for (const test of module.children.allTests("failed")) {
        const message = test.result().errors?.[0]?.message ?? "";
        recordFailure(`${module.relativeModuleId} > ${test.fullName}`, message);
      }
    }
    for (const { message } of unhandled) recordFailure("unhandled error outside of any test", message);
  }
}
