/** How long files and how complex functions may be. */

/** Lines of a file, and of what is there for tests. */
const LINES = { source: 300, test: 400 };
/** So many exceptions altogether, long files and complex functions. */
const EXCEPTIONS = 10;

/** Files that may be longer, each with the reason why cutting it would make it worse. */
const LONG_FILES: Record<string, string> = {};

/** Made by programs. */
const GENERATED = new Set(["server/database/types.ts", "server/database/visible-types.ts"]);
/** How Biome is told that a function may be more complex; it demands a reason behind it. */
const COMPLEX = /^\s*(?:\/\/|\{?\/\*) biome-ignore lint\/complexity\/noExcessiveCognitiveComplexity/gm;

/**
 * What is too long, a sentence each. Complexity itself is measured by Biome (`noExcessiveCognitiveComplexity`); here only
 * the exceptions from it are counted.
 */
export function sizeProblems(
  files: Map<string, string>,
  longFiles: Record<string, string> = LONG_FILES,
  exceptions = EXCEPTIONS,
): string[] {
  const problems: string[] = [];
  let complex = 0;
  for (const [path, source] of files) {
    if (!/\.(ts|tsx|css)$/.test(path) || GENERATED.has(path)) continue;
    complex += Array.from(source.matchAll(COMPLEX)).length;
    const lines = source.split("\n").length - 1;
    const most = /^(test|e2e)\/|\.test\.tsx?$/.test(path) ? LINES.test : LINES.source;
    if (lines > most && !longFiles[path]) problems.push(`${path} has ${lines} lines, more than ${most}.`);
    if (lines <= most && longFiles[path]) problems.push(`${path} has ${lines} lines and is no exception any more.`);
  }
  for (const path of Object.keys(longFiles))
    if (!files.has(path)) problems.push(`${path} is an exception from the length of files, but is not there.`);
  const listed = Object.keys(longFiles).length + complex;
  if (listed > exceptions)
    problems.push(`${listed} files and functions are exceptions from length and complexity, more than ${exceptions}.`);
  return problems;
}
