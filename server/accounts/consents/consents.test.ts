import { describe, expect, test } from "vitest";
import { CONSENTS } from "#shared/consents.ts";
import type { TestUser } from "#test/app.ts";
import {
  askIgnoringWeeklyLimit,
  consentingUser,
  consentingUsers,
  GOLD_PSYCHOLOGIST,
  putReview,
} from "#test/own-data.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { consultationBody, postAnswer, postConsultation, postReply, publishAnswer } from "#test/threads.ts";

const { app } = setUpTestAppWithMailbox();

describe("consents", () => {
  const put = (person: TestUser, kind: string, given: boolean) =>
    app.call("PUT", "/account/consents", { kind, given }, person);
  const consents = async (person: TestUser) => (await app.call("GET", "/account", undefined, person)).body.consents;

  test("stores withdrawn and renewed consents with version and time", async () => {
    const person = await consentingUser(app);
    expect(await consents(person)).toHaveLength(3);
    const at = new Date("2027-03-04T05:06:07.000Z");
    await app.staySignedIn(person);
    app.setNow(at);
    expect((await put(person, "health_data", false)).status).toBe(200);
    // A repetition changes nothing.
    app.setNow(new Date(at.getTime() + 500));
    expect((await put(person, "health_data", false)).status).toBe(200);
    app.setNow(new Date(at.getTime() + 1000));
    expect((await put(person, "health_data", true)).status).toBe(200);
    const history = (await consents(person)).filter((one: { kind: string }) => one.kind === "health_data");
    expect(history).toEqual([
      expect.objectContaining({ version: "1", withdrawn_at: at.toISOString() }),
      expect.objectContaining({ accepted_at: "2027-03-04T05:06:08.000Z", withdrawn_at: null }),
    ]);
  });

  test("stores one consent for 10 concurrent requests", async () => {
    const person = await consentingUser(app);
    await put(person, "transfer_abroad", false);
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(person, "transfer_abroad", true)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    const given = await app.sql(
      "select from consents where profile_id = $1 and kind = 'transfer_abroad' and withdrawn_at is null",
      [person.id],
    );
    expect(given).toHaveLength(1);
  });

  test.each([...CONSENTS])("refuses new texts of a user without %s", async (kind) => {
    const person = await consentingUser(app);
    for (const given of [true, false]) await put(person, kind, given);
    const refused = await postConsultation(app, person);
    expect([refused.status, refused.body.code]).toEqual([403, "consent_withdrawn"]);
    await put(person, kind, true);
    expect((await postConsultation(app, person)).status).toBe(201);
  });

  test("refuses new texts without a consent but allows corrections and deletions", async () => {
    const [person, psychologist] = await consentingUsers(app, {}, GOLD_PSYCHOLOGIST);
    const consultation = await askIgnoringWeeklyLimit(app, person);
    const answer = await publishAnswer(app, consultation, psychologist);
    const reviewed = await consentingUser(app, GOLD_PSYCHOLOGIST);
    expect((await putReview(app, reviewed, person, true, 5)).status).toBe(200);
    await put(person, "health_data", false);
    await put(psychologist, "professional_data", false);
    const refused = [
      await postReply(app, answer, person, "Gracias."),
      await putReview(app, psychologist, person, false),
      await postAnswer(app, consultation, psychologist, "Otra."),
    ];
    for (const one of refused) expect([one.status, one.body.code]).toEqual([403, "consent_withdrawn"]);
    const corrected = consultationBody({ title: "Corregida" });
    expect((await app.call("PATCH", `/consultations/${consultation}`, corrected, person)).status).toBe(200);
    expect((await app.call("DELETE", `/answers/${answer}`, {}, psychologist)).status).toBe(200);
    expect((await putReview(app, reviewed, person, false, 4)).status).toBe(200);
    expect((await app.page(`/psicologo/${reviewed.id}`, person)).text).toContain("/resena#eliminar");
    expect((await app.call("DELETE", `/psychologists/${reviewed.id}/review`, {}, person)).status).toBe(200);
    expect((await putReview(app, reviewed, person, false, 4)).body.code).toBe("consent_withdrawn");
  });
});
