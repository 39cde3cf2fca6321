/**
 * Finds cycles between folders: folders that import each other, directly or through others, are one folder in two
 * places.
 */

/** A file with its imports, including types, as paths from the repository's folder. */
export type FileImports = { path: string; imports: { target: string }[] };

/** Returns the folder of a path (a feature or layer), or the file itself if it is directly in a root. */
function folderOf(path: string): string {
  const segments = path.split("/");
  return segments.length > 2 ? segments.slice(0, 2).join("/") : path;
}

/** Returns the folders that each folder imports from, with one import as an example. */
function imported(files: FileImports[]): Map<string, Map<string, string>> {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Map<string, Map<string, string>>();
  for (const { path, imports } of files) {
    const from = folderOf(path);
    const to = edges.get(from) ?? new Map<string, string>();
    edges.set(from, to);
    for (const { target } of imports) {
      const folder = folderOf(target);
      if (known.has(target) && folder !== from && !to.has(folder)) to.set(folder, `${path} imports ${target}`);
    }
  }
  return edges;
}

/** Returns the shortest way from a folder back to itself, or null. */
function shortestCycle(start: string, edges: Map<string, Map<string, string>>): string[] | null {
  const came = new Map<string, string>();
  const queue = [start];
  for (const folder of queue)
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (next === start) {
        const way = [folder];
        while (way[0] !== start) way.unshift(came.get(way[0]!)!);
        return way;
      }
      if (!came.has(next)) {
        came.set(next, folder);
        queue.push(next);
      }
    }
  return null;
}

/** Returns one sentence per cycle between folders, with an import for each of its edges. */
export function folderCycles(files: FileImports[]): string[] {
  const edges = imported(files);
  const told = new Set<string>();
  const problems: string[] = [];
  for (const folder of [...edges.keys()].sort()) {
    const way = told.has(folder) ? null : shortestCycle(folder, edges);
    if (!way) continue;
    for (const one of way) told.add(one);
    const shown = way.map((one, at) => edges.get(one)!.get(way[(at + 1) % way.length]!)!);
    problems.push(`${way.join(" -> ")} -> ${folder} is a cycle of folders: ${shown.join("; ")}.`);
  }
  return problems;
}
