import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setPassword } from "#test/accounts.ts";
import {
  askIgnoringWeeklyLimit,
  consentingUser,
  consentingUsers,
  exportData,
  GOLD_PSYCHOLOGIST,
  putReview,
  writeLongReplies,
} from "#test/own-data.ts";
import { PASSWORD } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { publishAnswer, publishReply, putVote } from "#test/threads.ts";

const { app } = setUpTestAppWithMailbox();

describe("POST /account/export", () => {
  test("contains all stored data of a user: texts, votes, reviews, consents, sessions", async () => {
    const [other, colleague] = await consentingUsers(app, {}, GOLD_PSYCHOLOGIST);
    const person = await consentingUser(app, { name: "Rosa Canario" });
    const anonymous = await askIgnoringWeeklyLimit(app, person, {
      is_anonymous: true,
      title: "Anónima y mía",
      category: "Duelo",
      noindex: true,
    });
    const open = await askIgnoringWeeklyLimit(app, person, {
      is_anonymous: false,
      author_name: "La del quinto",
      title: "Con nombre y mía",
    });
    const answer = await publishAnswer(app, open, colleague);
    const reply = await publishReply(app, answer, person);
    await putVote(app, "consultations", anonymous, person);
    await putVote(app, "answers", answer, person, "down");
    await putReview(app, colleague, person, false, 4);
    await app.call("PUT", `/answers/${answer}/thanks`, { on: true }, person);
    await app.call("POST", "/account/email", { email: "otra@correo.example" }, person);
    await app.sql("insert into known_devices (account_id, device_hash, last_day) values ($1, '\\x01', '2026-11-20')", [
      person.id,
    ]);
    // Another user's consultation must not appear.
    await askIgnoringWeeklyLimit(app, other, { title: "De otra persona" });

    const { status, body } = await exportData(app, person);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account: { id: person.id, full_name: "Rosa Canario", email: person.email, user_type: "user" },
      psychologist: null,
      known_browsers: [{ last_day: "2026-11-20" }],
      sessions: [{ device: "Canario en Canarias" }],
      email_changes: [{ old_email: person.email, new_email: "otra@correo.example", confirmed_at: null }],
      consultations: [
        { id: anonymous, title: "Anónima y mía", is_anonymous: true, category: "Duelo", noindex: true, upvotes: 1 },
        { id: open, title: "Con nombre y mía", is_anonymous: false, author_name: "La del quinto", response_count: 1 },
      ],
      replies: [{ id: reply, answer_id: answer, consultation_id: open }],
      reviews: [{ psychologist_id: colleague.id, psychologist_name: colleague.full_name, rating: 4, show_name: false }],
      consultation_votes: [{ consultation_id: anonymous, vote: "up" }],
      answer_votes: [{ answer_id: answer, vote: "down" }],
      answer_thanks: [{ answer_id: answer }],
      answers: [],
      memberships: [],
      gold_grants: [],
      payments: [],
      checkouts: [],
    });
    expect(body.consents).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain("De otra persona");
    expect(JSON.stringify(body)).not.toMatch(/argon2id|hash|secret/);
  });

  test("contains profile, answers, memberships and payments of a psychologist", async () => {
    const [person, user] = await consentingUsers(app, { type: "psychologist", country: "Chile" }, {});
    const consultation = await askIgnoringWeeklyLimit(app, user, { title: "La pregunta de otra persona" });
    const answer = await publishAnswer(app, consultation, person, "Mi respuesta.");
    const choices = { digest: true, digest_categories: ["Duelo"], push_replies: false };
    await app.call("PUT", "/notifications/choices", choices, person);
    await app.call("PUT", "/profile/templates", { title: "Derivar", content: "Un texto que guardo." }, person);
    const begun = await app.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, person);
    await app.call("PUT", `/test-payments/${begun.body.id}`, { decision: "approve" }, person);
    // An unpaid checkout is part of the export too.
    const open = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, person);
    expect(open.status, open.text).toBe(201);
    await app.sql("insert into profile_view_counts values ($1, '2026-11-20', 7)", [person.id]);
    await app.sql(
      "insert into gold_grants (psychologist_id, starts_at, reason) values ($1, now(), 'Un mes de disculpa')",
      [person.id],
    );
    const { body } = await exportData(app, person);
    expect(body).toMatchObject({
      account: { daily_digest: true, daily_digest_categories: ["Duelo"], push_answers: true, push_replies: false },
      psychologist: {
        license_number: "MP 1234",
        country: "Chile",
        total_responses: 1,
        profile_visits: [{ visits: 7 }],
      },
      answers: [{ id: answer, consultation_title: "La pregunta de otra persona", content: "Mi respuesta." }],
      answer_templates: [{ title: "Derivar", content: "Un texto que guardo." }],
      memberships: [{ provider: "test", plan_type: "monthly", amount: 499, currency: "USD", status: "active" }],
      gold_grants: [{ ends_at: null, reason: "Un mes de disculpa", ended_at: null }],
      payments: [{ provider: "test", amount: 499, currency: "USD", status: "completed" }],
      checkouts: [
        { plan_type: "monthly", state: "active" },
        { plan_type: "lifetime", state: "pending" },
      ],
    });
    expect(body.psychologist.profile_visits).toEqual([{ day: "2026-11-20", visits: 7 }]);
    // Not even the id of the consultation's author.
    expect(JSON.stringify(body)).not.toContain(user.id);
  });

  test("preserves the order of a list that it reads in several batches", async () => {
    const [person, psychologist] = [await consentingUser(app), await app.person({ type: "psychologist" })];
    const answer = await publishAnswer(app, await askIgnoringWeeklyLimit(app, person), psychologist);
    await writeLongReplies(app, answer, person, 45);
    const { body, text, headers } = await exportData(app, person);
    const replies: { content: string }[] = body.replies;
    expect(replies.map(({ content }) => Number(content.slice(-10)))).toEqual(
      Array.from({ length: 45 }, (_, n) => n + 1),
    );
    expect(text).toBe(JSON.stringify(body, null, 1));
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test("reads every table that refers to a user, with listed exceptions", async () => {
    // Uses the foreign keys, so that a new table of user data must be exported or listed here.
    const references = await app.sql<{ table: string }>(
      `select distinct conrelid::regclass::text as table from pg_constraint
       where contype = 'f' and confrelid::regclass::text in ('profiles', 'accounts', 'psychologist_profiles', 'second_factors')`,
    );
    const source = readFileSync(join(import.meta.dirname, "export-store.ts"), "utf8");
    const missing = references.map(({ table }) => table).filter((table) => !new RegExp(`\\b${table}\\b`).test(source));
    expect(missing.sort()).toEqual([
      "audit_log", // the administrator's actions
      "deleted_replies", // times for a limit, deleted after 24 h
      "profile_views", // marks of visitors, who are other people
      "recovery_codes", // secrets
      "second_factors", // secrets
      "sign_in_challenges", // secrets, valid for 10 min
    ]);
  });

  test("downloads from the page without JavaScript; redirects back after a wrong password", async () => {
    const person = await consentingUser(app);
    await setPassword(app, person);
    const file = await app.form("/cuenta/datos", {}, person);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="mis-datos-\d{4}-\d\d-\d\d\.json"$/);
    expect(file.headers.get("cache-control")).toBe("private, no-store");
    expect(file.body).toMatchObject({ account: { id: person.id } });
    await app.sql("update sessions set password_at = null where account_id = $1", [person.id]);
    const without = await app.form("/cuenta/datos", {}, person);
    expect([without.status, without.headers.get("location")]).toEqual([
      302,
      "/cuenta?datos=reauthentication_required#datos",
    ]);
    const wrong = await app.form("/cuenta/datos", { current_password: "no es la mía" }, person);
    expect([wrong.status, wrong.headers.get("location")]).toEqual([302, "/cuenta?datos=contrasena#datos"]);
    expect((await app.page("/cuenta?datos=contrasena", person)).text).toContain("Esa no es tu contraseña.");
    expect((await app.page("/cuenta?datos=__proto__", person)).status).toBe(200);
    const right = await app.form("/cuenta/datos", { current_password: PASSWORD }, person);
    expect([right.status, right.body]).toMatchObject([200, { account: { id: person.id } }]);
  });
});
