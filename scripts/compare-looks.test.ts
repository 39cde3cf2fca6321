import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { compareLooks } from "./compare-looks.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Records a screen with one button of the given padding. */
async function recorded(padding: string, path = "html/body0/button0"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "divan-looks-"));
  folders.push(folder);
  const look = { elements: { light: [[path, 0]] }, properties: ["color", "padding-top"], styles: [`red\n${padding}`] };
  writeFileSync(join(folder, "start-390.json.gz"), gzipSync(JSON.stringify(look)));
  const height = Number.parseInt(padding, 10);
  const button = sharp({ create: { width: 4, height, channels: 4, background: "#f00" } }).png();
  await sharp({ create: { width: 4, height: 9, channels: 4, background: "#fff" } })
    .composite([{ input: await button.toBuffer(), top: 0, left: 0 }])
    .png()
    .toFile(join(folder, "start-390-light.png"));
  return folder;
}

test("compareLooks returns no difference for equal records", async () => {
  expect(await compareLooks(await recorded("3px"), await recorded("3px"))).toEqual({ lines: [], compared: 2 });
});

test("compareLooks finds one changed padding in the screenshot and by name", async () => {
  const { lines } = await compareLooks(await recorded("3px"), await recorded("5px"));
  expect(lines).toEqual([
    "start-390-light.png: 8 pixels",
    "start-390.json.gz light html/body0/button0: padding-top: 3px -> 5px",
  ]);
});

test("compareLooks finds an added or removed element", async () => {
  const { lines } = await compareLooks(await recorded("3px"), await recorded("3px", "html/body0/button1"));
  expect(lines).toEqual([
    "start-390.json.gz light html/body0/button0: gone",
    "start-390.json.gz light html/body0/button1: new",
  ]);
});
