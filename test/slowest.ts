import type { Reporter, TestCase, TestModule } from "vitest/node";

export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests: { name: string; seconds: number }[] = [];
    for (const module of modules)
      for (const test of module.children.allTests() as Iterable<TestCase>)
        tests.push({ name: test.fullName, seconds: (test.diagnostic()?.duration ?? 0) / 1000 });
    tests.sort((a, b) => b.seconds - a.seconds);
    console.log("\nSlowest tests:");
    for (const { name, seconds } of tests.slice(0, 20)) console.log(`  ${seconds.toFixed(2)} s  ${name}`);
  }
}
