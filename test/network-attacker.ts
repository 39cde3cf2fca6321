import { vi } from "vitest";
import { HOUR, MINUTE } from "#shared/time.ts";
import type { TestApp, TestUser } from "./app.ts";

/**
 * An attacker on the same network as a victim, who tries to learn from the limits if the victim did anything.
 *
 * The attacker knows the code and has an account and a second IP address. They may use up a limit and observe the
 * status, headers, body and time of every response.
 */
export type LimitedActions = {
  /** All actions whose limit still has uses for this IP address. */
  actions: readonly string[];
  /** Uses the limit once through HTTP. */
  request(action: string, sender: string, at: number, other?: boolean): Promise<ObservedAnswer>;
  /** Counts one use directly. Avoids a password hash. */
  spend(action: string, sender: string, at: number): Promise<void>;
  /** Uses up the limit except for one use. @returns the number of uses that were left, including the last one */
  drain(action: string, sender: string, at: number): Promise<number>;
  /** Duration of a window, in seconds. */
  seconds(action: string): number;
};
type ObservedAnswer = { status: number; headers: Headers; text: string; ms: number };

/** A fixed full hour, so that each run has the same thresholds. */
const START = Date.UTC(2027, 0, 4, 10);
const WINDOWS = 3;
/** Actions without a password hash. All of their uses go through HTTP. */
const WITHOUT_HASH = new Set(["mail_request", "contact"]);

/** Returns a generator of random numbers that repeats for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function timed(
  asked: () => Promise<{ status: number; headers: Headers; text: string }>,
): Promise<ObservedAnswer> {
  const start = performance.now();
  const { status, headers, text } = await asked();
  return { status, headers, text, ms: performance.now() - start };
}

/** Returns the observable features of a response as numbers. */
function featuresOf(seen: ObservedAnswer, now: number): number[] {
  const body = (seen.text ? JSON.parse(seen.text) : {}) as { details?: Record<string, unknown> };
  const until = Date.parse(String(body.details?.until ?? "")) || 0;
  return [
    seen.status,
    Number(seen.headers.get("retry-after") ?? 0),
    Number(body.details?.retry_after_seconds ?? 0),
    until && until - now,
    Object.keys(body.details ?? {}).length,
    seen.text.length,
    [...seen.headers].length,
    seen.ms,
  ];
}

/** One attack on a victim. The victim acted in each of three windows, or in none. */
type Trial = { at: number; acted: boolean; numbers: number[] };
const addressesOf = ({ at }: Trial) => {
  const block = `2001:db8:${(at + 1).toString(16)}`;
  return { other: `${block}:1::2`, own: `${block}:1::1`, second: `${block}:2::1`, third: `${block}:3::1` };
};

/**
 * Returns the actions of a window. Limits per account do not change between windows, so only the first one tests them.
 */
const actionsIn = (limited: LimitedActions, window: number) =>
  limited.actions.filter((action) => action !== "vote" || window === 0);

async function act(limited: LimitedActions, tried: Trial, window: number): Promise<void> {
  const { other } = addressesOf(tried);
  for (const action of actionsIn(limited, window))
    if (WITHOUT_HASH.has(action) || action === "vote") await limited.request(action, other, tried.at, true);
    else await limited.spend(action, other, tried.at);
}

async function attack(limited: LimitedActions, tried: Trial, window: number): Promise<void> {
  const { own, second, third } = addressesOf(tried);
  const byAddress = limited.actions.filter((action) => action !== "vote");
  const steps = actionsIn(limited, window).map((action): [string, string] => [action, own]);
  steps.push([byAddress[window % byAddress.length]!, second]);
  if (limited.actions.includes("contact")) steps.push(["network", third]);
  for (const [name, sender] of steps) {
    const action = name === "network" ? "contact" : name;
    if (WITHOUT_HASH.has(name))
      tried.numbers.push(...featuresOf(await limited.request(action, sender, tried.at), Date.now()));
    else await limited.spend(action, sender, tried.at);
    const uses = await limited.drain(name, sender, tried.at);
    await limited.spend(action, sender, tried.at);
    const refused = await limited.request(action, sender, tried.at);
    if (refused.status !== 429) throw new Error(`${name} was not used up: ${refused.status}`);
    const seen = featuresOf(refused, Date.now());
    // Time since the start of the window, which for a limit per user is the time since the first use.
    tried.numbers.push(uses, limited.seconds(action) - seen[1]!, ...seen);
  }
}

/** Processes the items, 12 at a time. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 12 }, lane));
}

type Rule = { feature: number; above: number; means: boolean };

/** Returns the single comparison that best separates the two cases in these trials. */
function bestRule(tries: { numbers: number[]; acted: boolean }[]): Rule {
  let best = { feature: 0, above: 0, means: true, right: -1 };
  for (let feature = 0; feature < tries[0]!.numbers.length; feature++)
    for (const above of new Set(tries.map(({ numbers }) => numbers[feature]!))) {
      const right = tries.filter(({ numbers, acted }) => numbers[feature]! > above === acted).length;
      for (const [means, count] of [
        [true, right],
        [false, tries.length - right],
      ] as const)
        if (count > best.right) best = { feature, above, means, right: count };
    }
  return best;
}

/**
 * Returns how many of `tries` victims an attacker guesses correctly after practice on `practice` others with known
 * results.
 */
export async function countCorrectGuesses(limited: LimitedActions, practice: number, tries: number): Promise<number> {
  const random = seededRandom(4801);
  const all = Array.from({ length: practice + tries }, (_, at): Trial => ({ at, acted: random() < 0.5, numbers: [] }));
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (let window = 0; window < WINDOWS; window++) {
      const start = START + window * HOUR;
      const times = all.map((tried) => ({ tried, minute: Math.floor(random() * 10) }));
      for (let minute = 0; minute < 10; minute++) {
        vi.setSystemTime(start + minute * MINUTE);
        const now = times.filter((each) => each.minute === minute && each.tried.acted);
        await forEach(now, ({ tried }) => act(limited, tried, window));
      }
      vi.setSystemTime(start + 11 * MINUTE);
      await forEach(all, (tried) => attack(limited, tried, window));
    }
    // Adds the sum of all features, so that a small effect in every window can be detected.
    for (const { numbers } of all) numbers.push(numbers.reduce((sum, number) => sum + number, 0));
    const { feature, above, means } = bestRule(all.slice(0, practice));
    return all.slice(practice).filter(({ numbers, acted }) => numbers[feature]! > above === (acted === means)).length;
  } finally {
    vi.useRealTimers();
  }
}

/** Returns the actions of an application behind a trusted proxy, so that the attacker can send any IP address. */
export function limitedActionsOf(
  app: TestApp,
  attackers: readonly TestUser[],
  others: readonly TestUser[],
  rest: Pick<LimitedActions, "actions" | "spend" | "drain" | "seconds">,
): LimitedActions {
  const headers = (sender: string) => ({ "x-forwarded-for": sender });
  const email = "nadie@correo.example";
  const message = { name: "Rosa Luna", email, message: "Una pregunta larga y clara." };
  return {
    ...rest,
    request: (action, sender, at, isOther) =>
      timed(() => {
        if (action === "sign_in")
          return app.call("POST", "/session", { email, password: "otra cosa larga" }, null, headers(sender));
        if (action === "contact") return app.call("POST", "/contact", message, null, headers(sender));
        if (action === "vote")
          return app.call(
            "PUT",
            "/consultations/00000000-0000-4000-8000-000000000000/vote",
            { vote: "up" },
            (isOther ? others : attackers)[at]!,
            headers(sender),
          );
        return app.call(
          "POST",
          "/recoveries",
          { email: `${Math.floor(performance.now() * 1e6)}@correo.example` },
          null,
          headers(sender),
        );
      }),
  };
}
