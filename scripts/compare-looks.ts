/** Compares two records of `npm run looks`: `node scripts/compare-looks.ts BEFORE AFTER`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import type { Look } from "../e2e/looks/styles.ts";

/** Browsers draw a rounded corner 1-2 of 255 steps lighter or darker from run to run, which is not visible. */
const STEPS = 2;

/** Counts the pixels that differ between two images; all of them if the sizes differ. */
async function differingPixels(before: string, after: string): Promise<number> {
  const read = (path: string) => sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [one, other] = await Promise.all([read(before), read(after)]);
  if (one.info.width !== other.info.width || one.info.height !== other.info.height)
    return Math.max(one.info.width * one.info.height, other.info.width * other.info.height);
  const [a, b] = [one.data, other.data];
  const differs = (at: number) => Math.abs(a[at]! - b[at]!) > STEPS;
  let count = 0;
  for (let at = 0; at < a.length; at += 3) if (differs(at) || differs(at + 1) || differs(at + 2)) count++;
  return count;
}

const readLook = (path: string) => JSON.parse(gunzipSync(readFileSync(path)).toString()) as Look;

/**
 * Returns the differences of two records of a screen: `state path: property: before -> after`, or an added or removed
 * element.
 */
function differences(before: Look, after: Look): string[] {
  const found: string[] = [];
  const split = (look: Look) => look.styles.map((style) => style.split("\n"));
  const [oldStyles, newStyles] = [split(before), split(after)];
  const places = before.properties.map((property) => after.properties.indexOf(property));
  // Most elements share their styles with others, so each pair is compared once.
  const known = new Map<string, string[]>();
  const differing = (style: number, newStyle: number): string[] => {
    const pair = `${style} ${newStyle}`;
    const [old, fresh] = [oldStyles[style]!, newStyles[newStyle]!];
    const lines =
      known.get(pair) ??
      before.properties.flatMap((property, at) => {
        const value = fresh[places[at]!];
        return old[at] === value ? [] : [`${property}: ${old[at]} -> ${value}`];
      });
    known.set(pair, lines);
    return lines;
  };
  for (const [state, elements] of Object.entries(before.elements)) {
    const now = new Map(after.elements[state]);
    for (const [path, style] of elements) {
      const newStyle = now.get(path);
      now.delete(path);
      if (newStyle === undefined) found.push(`${state} ${path}: gone`);
      else found.push(...differing(style, newStyle).map((line) => `${state} ${path}: ${line}`));
    }
    for (const path of now.keys()) found.push(`${state} ${path}: new`);
  }
  return found;
}

/**
 * Compares two folders of records.
 * @param before, after folders that `npm run looks` wrote
 * @returns a line per image, element and property that differs, and the number of compared files
 */
export async function compareLooks(before: string, after: string): Promise<{ lines: string[]; compared: number }> {
  const [old, fresh] = [before, after].map((folder) => readdirSync(folder).sort());
  const lines = [
    ...old!.filter((name) => !fresh!.includes(name)).map((name) => `${name}: only before`),
    ...fresh!.filter((name) => !old!.includes(name)).map((name) => `${name}: only after`),
  ];
  const both = old!.filter((name) => fresh!.includes(name));
  for (const name of both) {
    const paths = [join(before, name), join(after, name)] as const;
    if (name.endsWith(".png")) {
      const pixels = await differingPixels(...paths);
      if (pixels) lines.push(`${name}: ${pixels} pixels`);
    } else lines.push(...differences(readLook(paths[0]), readLook(paths[1])).map((line) => `${name} ${line}`));
  }
  return { lines, compared: both.length };
}

if (import.meta.main) {
  const [before, after] = process.argv.slice(2);
  if (!before || !after) throw new Error("Usage: node scripts/compare-looks.ts BEFORE AFTER");
  const { lines, compared } = await compareLooks(before, after);
  for (const line of lines.slice(0, 200)) console.log(line);
  console.log(`${compared} files compared, ${lines.length} differences`);
  process.exitCode = lines.length ? 1 : 0;
}
