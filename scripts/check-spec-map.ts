/** Checks that the map from the specification to files and operations names nothing that is not there, and leaves no operation out. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contract } from "#shared/contract.ts";

const FILE = /^[\w.-]+\/[\w./-]*$/;
const OPERATION = /^(GET|POST|PUT|PATCH|DELETE) \//;

/** The operations of the API, as method and path. */
export const operations = (): string[] =>
  Object.values(contract).flatMap((group) =>
    Object.values(group).map((procedure) => {
      const { method = "GET", path = "/" } = procedure["~orpc"].route;
      return `${method} ${path}`;
    }),
  );

/** What is wrong with the map, a sentence each; empty when all is well. */
export function checkSpecMap(map: string, exists: (path: string) => boolean, operations: string[]): string[] {
  const named = Array.from(map.matchAll(/`([^`]+)`/g), ([, name]) => name!);
  const mapped = new Set(named.filter((name) => OPERATION.test(name)));
  const known = new Set(operations);
  const missing = new Set(named.filter((name) => FILE.test(name) && !exists(name)));
  return [
    ...[...missing].map((path) => `docs/spec-map.md names ${path}, which is not there.`),
    ...[...mapped]
      .filter((one) => !known.has(one))
      .map((one) => `docs/spec-map.md names ${one}, which the API has not.`),
    ...operations.filter((one) => !mapped.has(one)).map((one) => `docs/spec-map.md leaves out ${one}.`),
  ];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const map = readFileSync(join(root, "docs", "spec-map.md"), "utf8");
  const problems = checkSpecMap(map, (path) => existsSync(join(root, path)), operations());
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}
