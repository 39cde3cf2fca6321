import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MembershipView } from "#shared/memberships.ts";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { type HistoryGroup, historyGroup } from "#test/history-arbitraries.ts";
import { checkBounds, checkDeleted, checkPerson, checkProviders, type Shown } from "#test/history-checks.ts";
import { begin, beginningOf, catchUp, decide, deliver, type HistoryRun, runMove, tie } from "#test/history-runner.ts";
import { START, type World } from "#test/history-world.ts";
import { openDoor } from "#test/payment-door.ts";

const HISTORIES = Number(process.env.DIVAN_HISTORIES ?? 500);
const TESTS = FULL_RUN ? 6 : 1;
/** How many people share a clock, the jobs and their providers' outages. */
const TOGETHER = 50;
/** The short run always plays the same histories. The full run plays new ones; its seed repeats them. */
const SEED = Number(process.env.DIVAN_SEED ?? (FULL_RUN ? Date.now() % 2 ** 31 : 11));
/** Number of behaviours of providers and people, and the minimum part of the histories in which each occurs. */
const [BEHAVIOURS, LEAST_SHARE] = [34, 0.05];

const door = openDoor();
/** Number of histories with each behaviour, and of all, in all tests. */
const met = new Map<string, number>();
let played = 0;
/** The first failure of each history, by its person's id. */
let failures = new Map<string, string>();
/** The subscriptions that a decision ended when their memberships were shown last. */
let endedHere = new Set<string>();

/** Records the failure of a history, so that the others are checked, too. */
function check(world: World, player: HistoryRun, look: () => void): void {
  const { person, bought, story } = player;
  if (failures.has(person.id)) return;
  try {
    look();
  } catch (error) {
    const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
    const subscriptions = bought.map(({ truth: { id, state, shown, sales } }) => ({ id, state, shown, sales }));
    const when = `round ${world.round}, ${new Date(world.clock).toISOString()}`;
    failures.set(person.id, [when, message, JSON.stringify({ actual, expected, subscriptions }), story].join("\n"));
  }
}

/** Number of failures that are shown. No further group is played then. */
const FAILURES_SHOWN = 5;

const AT_ONCE = 12;
async function forEach<One>(all: readonly One[], act: (one: One) => Promise<unknown>): Promise<void> {
  let begun = 0;
  const work = async () => {
    while (begun < all.length) await act(all[begun++]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Runs the jobs and compares each history with the data its providers have shown.
 * @param isClose true if people look at their memberships, too
 */
async function runJobs(world: World, players: HistoryRun[], isClose: boolean, isLast = false): Promise<void> {
  const began = world.clock;
  await door.tick();
  const memberships = new Map<string, MembershipView[]>();
  if (isClose)
    await forEach(players, async ({ person, deletedAt }) => {
      if (deletedAt === null) memberships.set(person.id, await door.memberships(person));
    });
  const shown: Shown = {
    began,
    gold: await door.gold(players.map(({ person }) => person.id)),
    readings: await door.readings(),
    waiting: await door.waiting(),
    problems: isClose ? await door.problems() : [],
    memberships,
  };
  if (isClose)
    endedHere = new Set(
      [...memberships.values()]
        .flat()
        .flatMap((one) =>
          one.ended_by && one.ended_by !== "refund" && one.ended_by !== "provider"
            ? [one.external_subscription_id]
            : [],
        ),
    );
  for (const player of players) {
    for (const { truth } of player.bought)
      if (world.down[truth.method] && truth.shown) truth.met.add(`${truth.method}: outage`);
    check(world, player, () => {
      if (isClose && player.deletedAt === null) checkPerson(world, player, shown, isLast);
      checkBounds(world, player, shown, endedHere);
      if (isLast) checkProviders(player, shown);
      if (isLast && player.deletedAt !== null) checkDeleted(player, shown);
    });
  }
}

/** Start of the next round: just before any person's next charge, or `gap` hours after the last round. */
function nextRound(world: World, players: HistoryRun[], gap: number | null): number {
  const next = players.flatMap(({ bought }) => bought.map(({ truth }) => truth.next ?? 0));
  const coming = next.filter((at) => at > world.clock + 30 * MINUTE);
  return gap === null && coming.length ? Math.min(...coming) - 10 * MINUTE : world.clock + (gap ?? 24) * HOUR;
}

async function playRound(world: World, players: HistoryRun[], given: HistoryGroup["rounds"][number]): Promise<void> {
  const from = world.round === 0 ? START + HOUR : nextRound(world, players, given.gap);
  // PayPal's events of the last three days are read. In production the jobs never run further apart.
  if (from - world.clock > 2 * DAY) {
    world.clock += 2 * DAY;
    await runJobs(world, players, false);
  }
  world.clock = Math.max(world.clock, from);
  await forEach(players, (player) => decide(door, world, player));
  world.down = { ...given.down };
  const acts = players.flatMap((player) =>
    player.bought.map((one) => ({ player, one, minute: one.plot.steps[world.round]!.minute })),
  );
  const minutes = new Set([...acts.map(({ minute }) => minute), ...given.sweeps]);
  for (const minute of [...minutes].toSorted((one, other) => one - other)) {
    world.clock = Math.max(world.clock, from + minute * MINUTE);
    await forEach(
      acts.filter((act) => act.minute === minute),
      ({ player, one }) => runMove(door, world, player, one),
    );
    if (given.sweeps.includes(minute)) await runJobs(world, players, false);
  }
  world.clock += given.rest * MINUTE;
  world.down = { paypal: false, mercadopago: false };
  await runJobs(world, players, true);
  const problems = await door.problems();
  await forEach(players, (player) => tie(door, player, problems));
}

/** Plays a group of histories and compares how they end. */
async function live({ histories, rounds }: HistoryGroup): Promise<void> {
  const world = await door.enter();
  const players: HistoryRun[] = [];
  // The months before were read by a server whose providers behaved well.
  for (const one of histories.toSorted((a, b) => beginningOf(a) - beginningOf(b))) {
    world.clock = beginningOf(one);
    players.push(await begin(door, world, one));
  }
  world.clock = START;
  await forEach(players, (player) => catchUp(door, world, player));
  await door.tick();
  world.isCalm = false;
  for (const given of rounds) {
    await playRound(world, players, given);
    world.round++;
  }
  world.isCalm = true;
  await forEach(
    players.flatMap(({ underWay }) => underWay),
    ({ truth, webhook }) => deliver(door, world, truth, webhook),
  );
  for (const wait of [3 * HOUR, 25 * HOUR, 8 * DAY]) {
    world.clock += wait;
    await runJobs(world, players, false);
  }
  world.clock += 3 * HOUR;
  await runJobs(world, players, true, true);
  await checkMails(world, players);
  for (const player of players) for (const name of player.met) met.set(name, (met.get(name) ?? 0) + 1);
  played += players.length;
}

async function checkMails(world: World, players: HistoryRun[]): Promise<void> {
  const mails = await door.mails();
  for (const player of players) {
    const own = mails.filter(({ person }) => person === player.person.id);
    check(world, player, () => {
      const receipts = own.filter(({ kind }) => kind === "membership_receipt").map(({ payment }) => payment);
      expect(receipts.length, "receipts").toBe(new Set(receipts).size);
      const mismatches = own.filter(({ kind }) => kind === "payment_mismatch").map(({ subscription }) => subscription);
      expect(mismatches.length, "mails about a mismatch").toBe(new Set(mismatches).size);
    });
  }
}

// The last test looks at the histories of the others.
describe("random histories", { shuffle: false }, () => {
  test.each(Array.from({ length: TESTS }, (_, n) => SEED + n))(
    `ends ${HISTORIES} histories in their providers' state and gives no Gold that is not paid (seed %i)`,
    async (seed) => {
      failures = new Map();
      for (const one of fc.sample(fc.noBias(historyGroup(TOGETHER)), { numRuns: HISTORIES / TOGETHER, seed }))
        if (failures.size < FAILURES_SHOWN) await live(one);
      const told = [...failures.values()].slice(0, FAILURES_SHOWN);
      expect(failures.size, `${failures.size} of ${HISTORIES} histories, seed ${seed}:\n${told.join("\n\n")}`).toBe(0);
    },
  );

  test(`meets each of ${BEHAVIOURS} behaviours in at least ${100 * LEAST_SHARE} % of these histories`, () => {
    const counts = [...met].toSorted(([, one], [, other]) => one - other);
    console.info(
      `${played} histories\n${counts.map(([name, n]) => `${((100 * n) / played).toFixed(1)} % ${name}`).join("\n")}`,
    );
    expect([...met].filter(([, n]) => n < LEAST_SHARE * played).map(([name]) => name)).toEqual([]);
    expect(met.size).toBe(BEHAVIOURS);
  });
});
