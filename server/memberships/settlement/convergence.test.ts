import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { type HistoryGroup, historyGroup } from "#test/history-arbitraries.ts";
import { checkAfterSweep, compare, isContinuing, type View, viewsOf } from "#test/history-checks.ts";
import {
  app,
  begin,
  contextOf,
  deliver,
  type Player,
  play,
  runQueue,
  unlessUnavailable,
} from "#test/history-players.ts";
import { START, type Truth, type World } from "#test/provider-truths.ts";
import type { Context } from "../../context.ts";
import { readCheckout } from "../reading/checkout.ts";
import { workPayments } from "../reading/jobs.ts";

/** How many random histories. */
const HISTORIES = Number(process.env.DIVAN_HISTORIES ?? (FULL_RUN ? 3000 : 150));
/** How many people share a clock, a sweep and their providers' outages. */
const TOGETHER = Number(process.env.DIVAN_TOGETHER ?? 50);
/** The short run plays the same histories each time, the full run others; those of a run are repeated by its seed. */
const SEED = Number(process.env.DIVAN_SEED ?? (FULL_RUN ? Date.now() % 2 ** 31 : 11));
/** How many behaviours of providers there are, and the part of the histories that meets with each, at least. */
const [BEHAVIOURS, LEAST_SHARE] = [27, 0.05];

/** In how many histories each behaviour was met with, and what else is counted. */
const met = new Map<string, number>();
let played = 0;
/** What went wrong first in a history, by its id. */
const failures = new Map<string, string>();
/** How often a sweep ended with someone without Gold whose provider showed a payment. */
let withoutAfterSweep = 0;
/** Steps of sweeps that failed by themselves: those of a database that a busy machine keeps waiting. */
let disturbances = 0;

/** Keeps what is wrong with a history, so that the others are looked at too. */
function check(world: World, { truth, story }: Player, look: (of: string) => void): void {
  if (failures.has(truth.id)) return;
  const when = `round ${world.round}, ${new Date(world.clock).toISOString()}`;
  try {
    look(when);
  } catch (error) {
    const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
    const sales = truth.sales.map(({ id, at, status, refunded }) => [id, new Date(at), status, refunded]);
    const lines = [message, { actual, expected }, story, { ...truth, sales, quirks: undefined, shown: undefined }];
    failures.set(truth.id, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  }
}

/** The first few failures. */
const told = () => [...failures.values()].slice(0, 5).join("\n\n");

/** What the webhook events are about that could not be handled yet. */
async function subjectsThatWait(): Promise<Set<string>> {
  const rows = await app.sql<{ id: string }>("select resource_id as id from webhook_events where done_at is null");
  return new Set(rows.map(({ id }) => id));
}

/** The ids under which webhook events name a subscription and what belongs to it. */
const namesOf = ({ id, sales }: Truth): string[] => [
  id,
  ...sales.flatMap((sale) => [sale.id, sale.invoice, `21${sale.id}`, ...(sale.dispute ? [sale.dispute.id] : [])]),
];

/** Sweeps, and checks each history by what its provider has shown. */
async function sweep(context: Context, world: World, players: Player[]): Promise<Map<string, View>> {
  const people = players.map(({ truth }) => truth.owner);
  const before = await viewsOf(app, people);
  const began = context.now().getTime();
  const disturbed = disturbances;
  await workPayments(context);
  const after = await viewsOf(app, people);
  const waiting = await subjectsThatWait();
  if (disturbances > disturbed) return after;
  for (const player of players) {
    const { truth } = player;
    if (world.down[truth.method] && truth.shown) truth.met.add(`${truth.method}: outage`);
    const [had, has] = [before.get(truth.owner)!, after.get(truth.owner)!];
    check(world, player, (when) => {
      const names = namesOf(truth);
      // A recent event in PayPal's list is left to its delivery, and the list is read every 10 min.
      const isRecent = world.events.some(
        ({ at, resource }) => at > began - 16 * MINUTE && Object.values(resource).some((name) => names.includes(name)),
      );
      const isWaiting = isRecent || names.some((name) => waiting.has(name));
      const isWithout = checkAfterSweep(world, truth, { before: had, view: has, began, isWaiting, story: when });
      if (isWithout) withoutAfterSweep++;
      expect(isWithout && isContinuing(truth), `paid in time, ${when}`).toBe(false);
    });
  }
  return after;
}

/** When the next round begins: just before the next charge of someone, or some hours after the last round. */
function nextRound(world: World, players: Player[], gap: number | null): number {
  const next = players.map(({ truth }) => truth.next ?? 0).filter((at) => at > world.clock + 30 * MINUTE);
  return gap === null && next.length ? Math.min(...next) - 10 * MINUTE : world.clock + (gap ?? 24) * HOUR;
}

async function playRound(
  context: Context,
  world: World,
  players: Player[],
  given: HistoryGroup["rounds"][number],
): Promise<void> {
  const from = world.round === 0 ? START + HOUR : nextRound(world, players, given.gap);
  // PayPal's events of the last three days are read; sweeps are never further apart where the server runs.
  if (from - world.clock > 2 * DAY) {
    world.clock += 2 * DAY;
    await sweep(context, world, players);
  }
  world.down = { ...given.down };
  const acts: [number, () => Promise<unknown>][] = [
    ...players.map((player): [number, () => Promise<unknown>] => [
      player.history.steps[world.round]!.minute,
      () => play(context, world, player),
    ]),
    ...given.sweeps.map((minute): [number, () => Promise<unknown>] => [minute, () => sweep(context, world, players)]),
  ];
  for (const [minute, act] of acts.toSorted((one, other) => one[0] - other[0])) {
    world.clock = Math.max(world.clock, from + minute * MINUTE);
    await act();
  }
  world.clock += given.rest * MINUTE;
  world.down = { paypal: false, mercadopago: false };
  if (given.queueRuns) await runQueue(context, players);
  await sweep(context, world, players);
}

/** Plays a group of histories and compares how they end. */
async function live({ histories, rounds }: HistoryGroup): Promise<void> {
  await clear();
  const players: Player[] = [];
  for (const one of histories) players.push(await begin(one));
  const world: World = {
    ...{ clock: START, round: 0, events: [], down: { paypal: false, mercadopago: false }, isCalm: false },
    truths: new Map(players.map(({ truth }) => [truth.id, truth])),
    checkouts: new Map(players.map(({ truth }) => [truth.checkout, truth])),
  };
  const context = contextOf(world, () => disturbances++);
  // The months before were read by a server whose providers behaved well.
  world.isCalm = true;
  for (const { truth } of players)
    if (truth.sales.length) await unlessUnavailable(readCheckout(context, truth.checkout));
  world.isCalm = false;
  for (const given of rounds) {
    await playRound(context, world, players, given);
    world.round++;
  }
  world.isCalm = true;
  for (const { truth, underWay } of players) for (const { webhook } of underWay) await deliver(context, truth, webhook);
  for (const wait of [3 * HOUR, 25 * HOUR, 3 * HOUR]) {
    world.clock += wait;
    await sweep(context, world, players);
  }
  // What is over is not read again by the sweep.
  for (const { truth } of players) await readCheckout(context, truth.checkout);
  await checkEnd(world, players);
  for (const { truth } of players) for (const name of truth.met) met.set(name, (met.get(name) ?? 0) + 1);
  played += players.length;
}

/** Compares everything at the end: nothing is under way any more. */
async function checkEnd(world: World, players: Player[]): Promise<void> {
  const views = await viewsOf(
    app,
    players.map(({ truth }) => truth.owner),
  );
  const owners = players.map(({ truth }) => truth.owner);
  const receipts = await app.sql<{ id: string; n: number; distinct: number }>(
    `select s.id, count(*)::int as n, count(distinct data ->> 'payment_id')::int as distinct from pgboss.job
     join subscriptions s on s.id::text = data ->> 'subscription_id'
     where name = 'mail' and data ->> 'kind' = 'membership_receipt' and psychologist_id = any($1) group by 1`,
    [owners],
  );
  const began = await app.sql<{ id: string; n: number }>(
    "select s.id, count(*)::int as n from audit_log join subscriptions s on s.id = target_id where action = 'membership_began' and psychologist_id = any($1) group by 1",
    [owners],
  );
  const problems = await app.sql<{ psychologist_id: string; external_id: string }>(
    "select psychologist_id, external_id from payment_problems where psychologist_id = any($1) and kind = 'mismatch'",
    [owners],
  );
  for (const player of players) {
    const { truth } = player;
    const view = views.get(truth.owner)!;
    const id = view.row?.id;
    check(world, player, (when) => {
      if (!(truth.quirks.forgets && truth.state === "cancelled")) compare(world, truth, view, when);
      if (view.row?.end_wanted_at) expect(["cancelled", "expired"], when).toContain(truth.state);
      if (view.row?.status === "active") expect(view.row.failing_since, when).toBeNull();
      const mails = receipts.find((one) => one.id === id);
      expect(mails?.n, when).toBe(mails?.distinct);
      const came = view.payments.filter(({ status }) => status !== "failed").map((one) => one.external_payment_id);
      expect(began.find((one) => one.id === id)?.n ?? 0, when).toBeLessThanOrEqual(came.length + 1);
      const reported = new Set(
        problems.filter((one) => one.psychologist_id === truth.owner).map((one) => one.external_id),
      );
      if (truth.quirks.wrong)
        expect(
          came.filter((one) => !reported.has(one)),
          when,
        ).toEqual([]);
    });
  }
}

async function clear(): Promise<void> {
  await app.sql("update psychologist_profiles set subscription_id = null, gold_until = null");
  for (const table of [
    "webhook_events",
    "payment_transactions",
    "payment_problems",
    "subscriptions",
    "checkouts",
    "payment_sweeps",
  ])
    await app.sql(`delete from ${table}`);
}

/** The behaviours, each with the part of the histories that met with it. */
function table(): string {
  const rows = [...met].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return rows
    .map(([name, n]) => `${String(n).padStart(6)} ${((100 * n) / played).toFixed(1).padStart(5)} %  ${name}`)
    .join("\n");
}

test(`${HISTORIES} histories, whatever their providers do, end in the provider's state, and never have Gold that is not paid`, async () => {
  for (const one of fc.sample(historyGroup(TOGETHER), { numRuns: HISTORIES / TOGETHER, seed: SEED })) {
    await live(one);
    expect(failures.size, `${failures.size} of ${TOGETHER} histories, seed ${SEED}:\n${told()}`).toBe(0);
  }
  console.info(
    `${played} histories, seed ${SEED}\n${table()}\n${withoutAfterSweep} times without Gold after a sweep although a payment was shown`,
  );
  if (!FULL_RUN) return;
  expect(disturbances).toBe(0);
  const rare = [...met].filter(([, n]) => n < LEAST_SHARE * played).map(([name]) => name);
  expect(rare).toEqual([]);
  expect(met.size).toBe(BEHAVIOURS);
});
