import { randomUUID } from "node:crypto";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { LIMITS } from "#shared/limits.ts";
import type { PlanType } from "#shared/plans.ts";
import { DAY, HOUR } from "#shared/time.ts";
import type { UserType } from "#shared/user-types.ts";
import { PRICES } from "../memberships/prices.ts";
import community from "./community.json" with { type: "json" };
import type { Rows } from "./store.ts";

type DemoPsychologist = (typeof community.psychologists)[number];
type Person = Record<"id" | "full_name" | "email", string> & {
  avatar_url: string | null;
  user_type: UserType;
  created_at: Date;
};
type Voting = (up: number, down: number, at: Date, target: Record<string, string>) => Rows;

/** Seeded random generator, so that the demo looks the same on every machine. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns `count` items of `all` in an order that depends on the sequence. */
const some = <Item>(all: readonly Item[], count: number, random: () => number): Item[] =>
  all
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);

/** End of Gold of a demo psychologist. */
function demoGoldEnd(plan: string | null, now: Date): Date | "infinity" | null {
  if (plan === "lifetime") return "infinity";
  return plan === "monthly" ? new Date(now.getTime() + 20 * DAY) : null;
}

/** A membership of the test mode that began 10 days ago. */
function membershipOf(plan: PlanType, psychologist_id: string, now: Date) {
  const created_at = new Date(now.getTime() - 10 * DAY);
  return {
    id: randomUUID(),
    psychologist_id,
    provider: "test",
    method: "paypal",
    external_id: `TEST_${randomUUID()}`,
    plan_type: plan,
    ...PRICES.paypal[plan],
    created_at,
    state: "active",
    status: "active",
    began_at: created_at,
    next_billing_date: plan === "monthly" ? demoGoldEnd(plan, now) : null,
  };
}

const paymentOf = (membership: ReturnType<typeof membershipOf>) => ({
  subscription_id: membership.id,
  provider: "test",
  external_payment_id: `TEST_${randomUUID()}`,
  amount: membership.amount,
  currency: membership.currency,
  status: "completed",
  paid_at: membership.created_at,
  created_at: membership.created_at,
});

/** Visits rise slowly towards today and are fewer at weekends, so that the chart looks realistic. */
function profileViewsOf(
  { joined_days_ago, gold }: DemoPsychologist,
  psychologist_id: string,
  ago: (milliseconds: number) => Date,
  random: () => number,
): Rows {
  const days = Array.from({ length: Math.min(90, joined_days_ago) }, (_, daysAgo) => {
    const viewed_on = ago(daysAgo * DAY);
    const busy = [0, 6].includes(viewed_on.getUTCDay()) ? 0.5 : 1;
    const most = (gold ? 18 : 7) * (1 - daysAgo / 140) * busy;
    return { psychologist_id, viewed_on, views: Math.floor(random() * most) };
  });
  return days.filter(({ views }) => views > 0);
}

/** Returns when each author asked within the weekly window, because the weekly limit applies in the demo too. */
function lastAsked(ago: (milliseconds: number) => Date): Map<string, Date> {
  const withinWindow = community.consultations.filter((one) => one.hours_ago * HOUR < LIMITS.weeklyWindowDays * DAY);
  return new Map(withinWindow.map((one) => [one.author, ago(one.hours_ago * HOUR)]));
}

/** Consultations, answers and replies of the community, with their votes. */
function writings(now: Date, idOf: (key: string) => string, votes: Voting) {
  const consultations: Rows = [];
  const consultationVotes: Rows = [];
  const answers: Rows = [];
  const answerVotes: Rows = [];
  const replies: Rows = [];
  for (const one of community.consultations) {
    const id = randomUUID();
    const askedAt = now.getTime() - one.hours_ago * HOUR;
    consultations.push({
      id,
      title: one.title,
      content: one.content,
      country: one.country,
      category: one.category,
      is_anonymous: one.anonymous,
      author_name: one.anonymous ? null : one.author_name,
      user_id: idOf(one.author),
      created_at: new Date(askedAt),
    });
    consultationVotes.push(...votes(one.upvotes, one.downvotes, new Date(askedAt), { consultation_id: id }));
    for (const given of one.answers) {
      const answerId = randomUUID();
      const answeredAt = askedAt + given.hours_after * HOUR;
      answers.push({
        id: answerId,
        consultation_id: id,
        psychologist_id: idOf(given.psychologist),
        content: given.content,
        created_at: new Date(answeredAt),
      });
      answerVotes.push(...votes(given.upvotes, given.downvotes, new Date(answeredAt), { response_id: answerId }));
      for (const reply of given.replies)
        replies.push({
          response_id: answerId,
          user_id: idOf(reply.author),
          content: reply.content,
          created_at: new Date(answeredAt + reply.hours_after * HOUR),
        });
    }
  }
  return { consultations, consultationVotes, answers, answerVotes, replies };
}

/** Consents of a fictional user. Older accounts accepted this version of the terms on the day of its publication. */
function consentsOf({ id, user_type, created_at }: Person, now: Date): Rows {
  const published = Math.min(Date.parse(CONSENT_VERSION), now.getTime());
  const accepted_at = new Date(Math.max(created_at.getTime(), published));
  return CONSENTS_OF[user_type].map((kind) => ({ profile_id: id, kind, version: CONSENT_VERSION, accepted_at }));
}

/**
 * Returns the fictional community as rows, table by table, in an order in which they can be inserted.
 * @param now the time from which the ages in `community.json` count back
 */
export function communityRows(now: Date, adminEmail: string, password_hash: string): [table: string, rows: Rows][] {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const random = sequence(2026);
  const ids = new Map<string, string>();
  const idOf = (key: string) => ids.get(key)!;
  const personOf = (key: string, full_name: string, daysAgo: number, user_type: UserType, portrait?: number | null) => {
    const id = randomUUID();
    ids.set(key, id);
    const email = key === "admin" ? adminEmail : `${key}@divan.example`;
    const avatar_url = portrait ? `/retrato-${portrait}.svg` : null;
    return { id, full_name, email, avatar_url, user_type, created_at: ago(daysAgo * DAY) };
  };
  const people: Person[] = [
    personOf("admin", "Administración", 400, "user"),
    ...community.users.map(({ key, full_name }, at) => personOf(key, full_name, 360 - at, "user")),
    ...community.psychologists.map(({ key, full_name, joined_days_ago, portrait }) =>
      personOf(key, full_name, joined_days_ago, "psychologist", portrait),
    ),
  ];
  const asked = new Map([...lastAsked(ago)].map(([key, at]) => [idOf(key), at]));

  const voters = community.users.map((user) => user.key);
  const votes: Voting = (up, down, at, target) =>
    some(voters, up + down, random).map((key, place) => ({
      ...target,
      user_id: idOf(key),
      vote_type: place < up ? "up" : "down",
      created_at: at,
    }));
  const written = writings(now, idOf, votes);
  const memberships = community.psychologists.flatMap(({ key, gold }) =>
    gold ? [membershipOf(gold as PlanType, idOf(key), now)] : [],
  );
  return [
    [
      "profiles",
      people.map((person) => ({
        ...person,
        updated_at: person.created_at,
        weekly_consultations_used: asked.has(person.id) ? 1 : 0,
        weekly_window_started_at: asked.get(person.id) ?? null,
      })),
    ],
    [
      "accounts",
      people.map(({ id, created_at }) => ({
        id,
        password_hash,
        email_verified_at: created_at,
        password_changed_at: created_at,
      })),
    ],
    ["consents", people.flatMap((person) => consentsOf(person, now))],
    [
      "psychologist_profiles",
      community.psychologists.map(
        ({ key, full_name: _name, verified, gold, joined_days_ago, portrait: _portrait, ...profile }) => ({
          ...profile,
          id: idOf(key),
          verified_at: verified ? ago((joined_days_ago - 1) * DAY) : null,
          gold_until: demoGoldEnd(gold, now),
          created_at: ago(joined_days_ago * DAY),
        }),
      ),
    ],
    ["checkouts", memberships],
    ["payment_transactions", memberships.map(paymentOf)],
    ["consultations", written.consultations],
    ["consultation_votes", written.consultationVotes],
    ["consultation_responses", written.answers],
    ["response_votes", written.answerVotes],
    ["consultation_replies", written.replies],
    [
      "psychologist_reviews",
      community.reviews.map(({ psychologist, user, days_ago, ...review }) => ({
        ...review,
        psychologist_id: idOf(psychologist),
        user_id: idOf(user),
        created_at: ago(days_ago * DAY),
      })),
    ],
    [
      "profile_view_counts",
      community.psychologists.flatMap((person) => profileViewsOf(person, idOf(person.key), ago, random)),
    ],
  ];
}
