import { randomUUID } from "node:crypto";
import { CONSENT_VERSION, CONSENTS } from "#shared/consents.ts";
import { DAY, HOUR } from "#shared/time.ts";
import { hashPassword } from "../accounts/password.ts";
import type { Context } from "../context.ts";
import community from "./community.json" with { type: "json" };
import { analyze, demoAccounts, hasPeople, insertRows, lockDemo, recountEverything } from "./store.ts";

/** One password for every fictional account: the demo listens only on its own machine. */
const DEMO_PASSWORD = "una-sala-tranquila";

/** A seeded random generator, so that the demo looks the same on every machine. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** As many of `all` as asked for, in an order that depends on the sequence. */
const some = <Item>(all: readonly Item[], count: number, random: () => number): Item[] =>
  all
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);

const emailOf = (key: string) => `${key}@divan.example`;

/**
 * Loads the fictional community if the database has no profiles.
 * @returns the demo accounts, as lines to print; none when the database has other people
 */
export async function loadDemo(context: Context): Promise<string[]> {
  await fill(context);
  const accounts = await demoAccounts(context.db);
  const admin = accounts.find((account) => account.email === context.config.adminEmail);
  const user = accounts.find(
    (account) => account.user_type === "user" && account !== admin && account.weekly_consultations_used === 0,
  );
  const gold = accounts.find((account) => account.has_gold);
  const verified = accounts.find(
    (account) => account.is_verified && !account.has_gold && account.free_responses_used === 0,
  );
  const pending = accounts.find((account) => account.is_verified === false);
  const roles = {
    administration: admin,
    user,
    "psychologist with Gold": gold,
    "psychologist, verified": verified,
    "psychologist, pending": pending,
  };
  const lines = Object.entries(roles).flatMap(([role, account]) =>
    account ? [`${account.email.padEnd(40)} ${role}`] : [],
  );
  return lines.length ? [...lines, `Password of all of them: ${DEMO_PASSWORD}`] : [];
}

/** When the Gold of a plan ends. */
function goldUntil(plan: string | null | undefined, now: Date): Date | "infinity" | null {
  if (plan === "lifetime") return "infinity";
  return plan === "monthly" ? new Date(now.getTime() + 20 * DAY) : null;
}

/** A membership of the test mode, begun ten days ago. */
function membershipOf(plan: string | null | undefined, psychologist_id: string, now: Date) {
  const monthly = plan === "monthly";
  return {
    id: randomUUID(),
    psychologist_id,
    provider: "test",
    external_subscription_id: `TEST_${randomUUID()}`,
    plan_type: plan,
    amount: monthly ? 499 : 4999,
    currency: "USD",
    status: "active",
    next_billing_date: monthly ? goldUntil(plan, now) : null,
    created_at: new Date(now.getTime() - 10 * DAY),
  };
}

/** Visits rise slowly towards today and are fewer at weekends, so that the chart looks realistic. */
function visitsOf(
  { joined_days_ago, gold }: (typeof community.psychologists)[number],
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

/** What the community has written, with the votes for it, as rows. */
function writings(
  now: Date,
  idOf: (key: string) => string,
  votes: (up: number, down: number, at: Date, target: Record<string, string>) => Rows,
) {
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

async function fill(context: Context): Promise<void> {
  const now = context.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const random = sequence(2026);
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const filled = await context.db.transaction().execute(async (tx) => {
    await lockDemo(tx);
    if (await hasPeople(tx)) return false;

    const ids = new Map<string, string>();
    const idOf = (key: string) => ids.get(key)!;
    const people: { key: string; full_name: string; user_type: "user" | "psychologist"; since: Date; email: string }[] =
      [
        {
          key: "admin",
          full_name: "Administración",
          user_type: "user",
          since: ago(400 * DAY),
          email: context.config.adminEmail,
        },
        ...community.users.map((user, at) => ({
          ...user,
          user_type: "user" as const,
          since: ago((360 - at) * DAY),
          email: emailOf(user.key),
        })),
        ...community.psychologists.map((person) => ({
          key: person.key,
          full_name: person.full_name,
          user_type: "psychologist" as const,
          since: ago(person.joined_days_ago * DAY),
          email: emailOf(person.key),
        })),
      ];
    for (const { key } of people) ids.set(key, randomUUID());
    const portraits = new Map(community.psychologists.map((person) => [person.key, `/retrato-${person.portrait}.svg`]));

    // The weekly limit holds in the demo as well: who asked within the last days has used this week's consultation.
    const lastAsked = new Map<string, Date>();
    for (const consultation of community.consultations) {
      const at = ago(consultation.hours_ago * HOUR);
      if (consultation.hours_ago < 7 * 24) lastAsked.set(consultation.author, at);
    }
    await insertRows(
      tx,
      "profiles",
      people.map(({ key, full_name, user_type, since, email }) => ({
        id: idOf(key),
        full_name,
        avatar_url: portraits.get(key) ?? null,
        email,
        user_type,
        created_at: since,
        updated_at: since,
        weekly_consultations_used: lastAsked.has(key) ? 1 : 0,
        weekly_window_started_at: lastAsked.get(key) ?? null,
      })),
    );
    await insertRows(
      tx,
      "accounts",
      people.map(({ key, since }) => ({
        id: idOf(key),
        password_hash,
        email_verified_at: since,
        created_at: since,
        password_changed_at: since,
      })),
    );
    // Older accounts accepted this version of the terms on the day it was published.
    const versionSince = Math.min(Date.parse(CONSENT_VERSION), now.getTime());
    await insertRows(
      tx,
      "consents",
      people.flatMap(({ key, since }) => {
        const accepted_at = new Date(Math.max(since.getTime(), versionSince));
        return CONSENTS.map((kind) => ({ profile_id: idOf(key), kind, version: CONSENT_VERSION, accepted_at }));
      }),
    );
    await insertRows(
      tx,
      "psychologist_profiles",
      community.psychologists.map((person) => ({
        id: idOf(person.key),
        specialty: person.specialty,
        license_number: person.license_number,
        country: person.country,
        bio: person.bio,
        phone: person.phone,
        whatsapp: person.whatsapp,
        website: person.website,
        verified_at: person.verified ? ago((person.joined_days_ago - 1) * DAY) : null,
        gold_until: goldUntil(person.gold, now),
        created_at: ago(person.joined_days_ago * DAY),
      })),
    );
    const members = community.psychologists.filter((person) => person.gold);
    const subscriptions = members.map((person) => membershipOf(person.gold, idOf(person.key), now));
    await insertRows(tx, "subscriptions", subscriptions);
    await insertRows(
      tx,
      "payment_transactions",
      subscriptions.map((one) => ({
        subscription_id: one.id,
        provider: "test",
        external_payment_id: `TEST_${randomUUID()}`,
        amount: one.amount,
        currency: one.currency,
        status: "completed",
        paid_at: one.created_at,
        created_at: one.created_at,
      })),
    );

    const voters = community.users.map((user) => user.key);
    const votes = (up: number, down: number, at: Date, target: Record<string, string>) =>
      some(voters, up + down, random).map((key, place) => ({
        ...target,
        user_id: idOf(key),
        vote_type: place < up ? "up" : "down",
        created_at: at,
      }));
    const { consultations, consultationVotes, answers, answerVotes, replies } = writings(now, idOf, votes);
    await insertRows(tx, "consultations", consultations);
    await insertRows(tx, "consultation_votes", consultationVotes);
    await insertRows(tx, "consultation_responses", answers);
    await insertRows(tx, "response_votes", answerVotes);
    await insertRows(tx, "consultation_replies", replies);
    await insertRows(
      tx,
      "psychologist_reviews",
      community.reviews.map((review) => ({
        psychologist_id: idOf(review.psychologist),
        user_id: idOf(review.user),
        rating: review.rating,
        comment: review.comment,
        show_name: review.show_name,
        created_at: ago(review.days_ago * DAY),
      })),
    );
    await insertRows(
      tx,
      "profile_view_days",
      community.psychologists.flatMap((person) => visitsOf(person, idOf(person.key), ago, random)),
    );
    await recountEverything(tx);
    return true;
  });
  if (filled) await analyze(context.db);
}

type Rows = Record<string, unknown>[];
