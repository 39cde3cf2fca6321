/**
 * `npm run bench:web`: loads the visitor's page in a phone-like browser and prints the time of its largest contentful
 * paint, then prints Lighthouse's scores of the public pages and of the plans.
 * `--against <commit>` loads the page of that commit in turns.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { openClient } from "#server/database/handles.ts";
import { unpackedChromium } from "../../e2e/chromium.ts";
import { withApps } from "./apps.ts";
import { percentile } from "./load.ts";
import type { App } from "./processes.ts";

/** Lighthouse's mobile "slow 4G" as applied in the browser (`throttlingMethod: "devtools"`), in bytes per second. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
const SLOWER_PROCESSOR = 4;
const LOADS = 5;
/** Time from the largest paint to the tap, in milliseconds. */
const TAP_AFTER = 500;

type Times = { lcp: number; cls: number; tap: number };
type Observed = { lcp: number; cls: number; taps: number[] };

/** Runs in the page before its scripts. */
function observe(): void {
  const observed: Observed = { lcp: 0, cls: 0, taps: [] };
  Object.assign(window, { observed });
  const on = (type: string, take: (entry: PerformanceEntry) => void, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  on("largest-contentful-paint", ({ startTime }) => {
    observed.lcp = startTime;
  });
  on("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) observed.cls += value;
  });
  on("event", ({ duration }) => void observed.taps.push(duration), { durationThreshold: 16 });
}

/**
 * Loads the page once.
 * @param tapAt time of the tap after the start of the navigation; undefined for no tap
 */
async function loadOnce(browser: Browser, url: string, tapAt?: number): Promise<Times> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    hasTouch: true,
    isMobile: true,
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_PROCESSOR });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: tapAt === undefined ? "load" : "commit" });
    if (tapAt !== undefined) {
      const button = page.locator("header").locator("summary:visible, button:visible").first();
      const box = (await button.boundingBox())!;
      await page.waitForFunction((at) => performance.now() >= at, tapAt);
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    }
    await page.waitForTimeout(1_500);
    const { lcp, cls, taps } = await page.evaluate(() => (window as unknown as { observed: Observed }).observed);
    return { lcp, cls, tap: Math.max(0, ...taps) };
  } finally {
    await context.close();
  }
}

/** Not a dependency, because only this command needs it. npm downloads it. */
const LIGHTHOUSE = "lighthouse@13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
/** Lowest score of each category, 0 to 100. */
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 };

type Report = { categories: Record<(typeof CATEGORIES)[number], { score: number | null }> };

/** Runs Lighthouse on a page, as a phone with its simulated network. @returns the scores, 0 to 100 */
function scoresOf(url: string, cookie: string, chromium: { executablePath: string; env: Record<string, string> }) {
  const { stdout, stderr } = spawnSync(
    "npm",
    [
      ...["exec", "--yes", `--package=${LIGHTHOUSE}`, "--", "lighthouse", url, "--quiet", "--output=json"],
      ...["--chrome-flags=--headless=shell --no-sandbox", `--only-categories=${CATEGORIES.join(",")}`],
      `--extra-headers=${JSON.stringify(cookie ? { cookie } : {})}`,
    ],
    { env: { ...chromium.env, CHROME_PATH: chromium.executablePath }, maxBuffer: 1e8 },
  );
  if (!stdout.length) throw new Error(`Lighthouse failed: ${stderr}`);
  const { categories } = JSON.parse(stdout.toString()) as Report;
  return CATEGORIES.map((name) => ({ name, score: Math.round((categories[name].score ?? 0) * 100) }));
}

/** Runs of Lighthouse for each page. The performance of a single one varies by three points. */
const RUNS = 5;

/** Prints the median scores for each page. */
async function printScores({ url, databaseUrl, community }: App): Promise<void> {
  const chromium = await unpackedChromium();
  const [answered, psychologist] = await answeredConsultation(databaseUrl);
  const paths = ["/", `/consulta/${answered}`, `/psicologo/${psychologist}`, "/buscar", "/ayuda", "/planes"];
  for (const path of paths) {
    const cookie = path === "/planes" ? community.psychologists[0]!.cookie : "";
    const runs = Array.from({ length: RUNS }, () => scoresOf(url + path, cookie, chromium));
    const medians = CATEGORIES.map((name, at) => ({
      name,
      score: percentile(
        runs.map((run) => run[at]!.score),
        0.5,
      ),
    }));
    const words = medians.map(
      ({ name, score }) => `${name} ${score}${score < GOALS[name] ? ` (goal ${GOALS[name]})` : ""}`,
    );
    console.log(`Lighthouse ${path.replace(/[0-9a-f-]{36}/, ":id")}: ${words.join(", ")}`);
  }
}

/** Returns a consultation with an answer, and the answer's psychologist. */
async function answeredConsultation(databaseUrl: string): Promise<[string, string]> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "select consultation_id, psychologist_id from consultation_responses order by created_at desc limit 1",
  );
  await client.end();
  return [rows[0].consultation_id, rows[0].psychologist_id];
}

const { values } = parseArgs({ options: { against: { type: "string" } } });

await withApps({ rows: 2_000, askers: 0 }, values.against, async ({ app, against }) => {
  const browser = await chromium.launch({ ...(await unpackedChromium()), args: ["--no-sandbox", "--headless=shell"] });
  try {
    const targets = [app, ...(against ? [against] : [])];
    const taken = targets.map((): Times[] => []);
    for (const { url } of targets) await loadOnce(browser, url);
    for (let load = 0; load < LOADS; load++)
      for (const [at, { url }] of targets.entries()) {
        const { lcp, cls } = await loadOnce(browser, url);
        const { tap } = await loadOnce(browser, url, lcp + TAP_AFTER);
        taken[at]!.push({ lcp, cls, tap });
      }
    for (const [at, { name }] of targets.entries()) {
      const medianOf = (what: keyof Times) =>
        percentile(
          taken[at]!.map((times) => times[what]),
          0.5,
        );
      const [lcp, cls, tap] = [medianOf("lcp"), medianOf("cls"), medianOf("tap")];
      console.log(`${name}: LCP ${lcp.toFixed(0)} ms, CLS ${cls.toFixed(3)}, tap handled in ${tap.toFixed(0)} ms`);
    }
  } finally {
    await browser.close();
  }
  await printScores(app);
});
