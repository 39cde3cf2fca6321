/** Checks the length of files and the number of complex functions. */

/** Largest number of lines of a file and of a test. */
const LINES = { source: 300, test: 400 };
/** Largest number of exceptions, long files and complex functions together. */
const EXCEPTIONS = 10;

/** Files that may be longer, each with the reason why splitting would make it worse. */
const LONG_FILES: Record<string, string> = {};

const GENERATED = new Set(["server/database/types.ts", "server/database/visible-types.ts"]);
/** Biome's comment for a function that may be more complex; it requires a reason. */
const COMPLEX = /^\s*(?:\/\/|\{?\/\*) biome-ignore lint\/complexity\/noExcessiveCognitiveComplexity/gm;

/**
 * Returns the problems of size, one sentence each. Biome measures complexity (`noExcessiveCognitiveComplexity`); this
 * counts its exceptions.
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
    if (lines <= most && longFiles[path]) problems.push(`${path} has ${lines} lines and needs no exception any more.`);
  }
  for (const path of Object.keys(longFiles))
    if (!files.has(path)) problems.push(`${path} is an exception from the length of files, but does not exist.`);
  const listed = Object.keys(longFiles).length + complex;
  if (listed > exceptions)
    problems.push(`${listed} files and functions are exceptions from length and complexity, more than ${exceptions}.`);
  return problems;
}
