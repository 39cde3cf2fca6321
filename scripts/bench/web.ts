/**
 * `npm run bench:web`: loads the visitor's page in a phone-like browser and prints the time of its largest contentful
 * paint, then prints Lighthouse's scores of the public pages and of the plans.
 * `--against <commit>` loads the page of that commit in turns.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type Browser, chromium, devices } from "@playwright/test";
import { unpackedChromium } from "../../e2e/chromium.ts";
import { type Target, withApps } from "./apps.ts";
import { median } from "./load.ts";

/** Lighthouse's mobile "slow 4G" as applied in the browser (`throttlingMethod: "devtools"`), in bytes per second. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
/** Number of loads, and of Lighthouse's runs, whose performance score varies by three points. */
const RUNS = 5;
/** Time from the largest paint to the tap, in milliseconds. */
const TAP_AFTER = 500;

type Observed = { lcp: number; cls: number; tap: number };

/** Runs in the page before its scripts. */
function observe(): void {
  const observed: Observed = { lcp: 0, cls: 0, tap: 0 };
  Object.assign(window, { observed });
  const on = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      ...{ type, buffered: true, durationThreshold: 16 },
    });
  on("largest-contentful-paint", ({ startTime }) => {
    observed.lcp = startTime;
  });
  on("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) observed.cls += value;
  });
  on("event", ({ duration }) => {
    observed.tap = Math.max(observed.tap, duration);
  });
}

/** Loads the page once. @param tapAt time of a tap in milliseconds after the start of the navigation */
async function loadOnce(browser: Browser, url: string, tapAt?: number): Promise<Observed> {
  const context = await browser.newContext(devices["Pixel 7"]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: tapAt === undefined ? "load" : "commit" });
  if (tapAt !== undefined) {
    const button = page.locator("header").locator("summary:visible, button:visible").first();
    const box = (await button.boundingBox())!;
    await page.waitForFunction((at) => performance.now() >= at, tapAt);
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  }
  await page.waitForTimeout(1_500);
  const observed = await page.evaluate(() => (window as unknown as { observed: Observed }).observed);
  await context.close();
  return observed;
}

async function printPaints(targets: Target[]): Promise<void> {
  const browser = await chromium.launch({ ...(await unpackedChromium()), args: ["--no-sandbox", "--headless=shell"] });
  const taken = targets.map((): Observed[] => []);
  for (const { url } of targets) await loadOnce(browser, url);
  for (let run = 0; run < RUNS; run++)
    for (const [at, { url }] of targets.entries()) {
      const { lcp, cls } = await loadOnce(browser, url);
      const { tap } = await loadOnce(browser, url, lcp + TAP_AFTER);
      taken[at]!.push({ lcp, cls, tap });
    }
  await browser.close();
  for (const [at, { name }] of targets.entries()) {
    const medianOf = (what: keyof Observed) => median(taken[at]!.map((observed) => observed[what]));
    console.log(
      `${name}: LCP ${medianOf("lcp").toFixed(0)} ms, CLS ${medianOf("cls").toFixed(3)}, tap handled in ${medianOf("tap").toFixed(0)} ms`,
    );
  }
}

/** Lowest score of each category, 0 to 100. */
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 };
const CATEGORIES = Object.keys(GOALS) as (keyof typeof GOALS)[];

/** Prints the median scores of each page, as a phone with Lighthouse's simulated network. */
async function printScores({ url, community: { withTenAnswers, psychologists } }: Target): Promise<void> {
  const { env, executablePath } = await unpackedChromium();
  const psychologist = psychologists[0]!;
  const pages = ["/", `/consulta/${withTenAnswers}`, `/psicologo/${psychologist.id}`, "/buscar", "/ayuda", "/planes"];
  for (const path of pages) {
    const headers = path === "/planes" ? { cookie: psychologist.cookie } : {};
    // Lighthouse is not a dependency, because only this command needs it. npm downloads it.
    const command = ["exec", "--yes", "--package=lighthouse@13.5.0", "--", "lighthouse", url + path, "--quiet"];
    const options = ["--output=json", "--chrome-flags=--headless=shell --no-sandbox"];
    const more = [`--only-categories=${CATEGORIES}`, `--extra-headers=${JSON.stringify(headers)}`];
    const reports = Array.from({ length: RUNS }, () => {
      const { stdout, stderr } = spawnSync("npm", [...command, ...options, ...more], {
        env: { ...env, CHROME_PATH: executablePath },
        maxBuffer: 1e8,
      });
      if (!stdout.length) throw new Error(`Lighthouse failed: ${stderr}`);
      return JSON.parse(stdout.toString()) as { categories: Record<string, { score: number | null }> };
    });
    const words = CATEGORIES.map((name) => {
      const score = Math.round(median(reports.map(({ categories }) => categories[name]!.score ?? 0)) * 100);
      return `${name} ${score}${score < GOALS[name] ? ` (goal ${GOALS[name]})` : ""}`;
    });
    console.log(`Lighthouse ${path.replace(/[0-9a-f-]{36}/, ":id")}: ${words.join(", ")}`);
  }
}

const { values } = parseArgs({ options: { against: { type: "string" } } });

await withApps({ rows: 2_000, askers: 0 }, values.against, async ({ app, against }) => {
  await printPaints(against ? [app, against] : [app]);
  await printScores(app);
});
