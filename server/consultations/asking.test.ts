import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "#shared/time.ts";
import { whileRowLocked } from "#test/locks.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import {
  ask,
  askAnew,
  consultationBody,
  postAnswer,
  postConsultation,
  postReply,
  readConsultation,
} from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

describe("POST /consultations", () => {
  test("publishes danger, violence, strong words, contact data or markup unchanged", async () => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist" });
    const content = [
      "No quiero seguir viviendo, esta noche me mato. Ya tengo las pastillas en la mano.",
      "Mi marido me pega y me amenaza con un cuchillo. Mi tío abusaba de mí cuando tenía nueve años.",
      "Estoy hasta la mierda de este hijo de puta, perdón, no sé cómo decirlo de otra manera.",
      "Llámame al +54 11 5555 0123 o escríbeme a ayuda@correo.example, por favor.",
      "<script>alert(1)</script> <b>así</b> siento la cabeza, [esto](https://ejemplo.example) también.",
    ].join("\n");
    const made = await postConsultation(app, author, { content, country: "Paraguay" });
    expect(made.status).toBe(201);
    const answer = await postAnswer(app, made.body.id, psychologist, content);
    expect(answer.status).toBe(201);
    expect((await postReply(app, answer.body.id, author, content)).status).toBe(201);
    const { body } = await readConsultation(app, made.body.id);
    expect([body.consultation.content, body.answers[0].content, body.answers[0].replies[0].content]).toEqual([
      content,
      content,
      content,
    ]);
    const feed = await app.call("GET", "/consultations?country=Paraguay", undefined, null);
    expect(feed.body.items.map(({ id }: { id: string }) => id)).toContain(made.body.id);
  });

  test("accepts titles of 5 to 140 and texts of 20 to 5,000 characters, otherwise responds 422", async () => {
    const refused = async (more: Record<string, string>, field: string) => {
      const got = await postConsultation(app, await app.person(), more);
      expect([got.status, Object.keys(got.body.fields)]).toEqual([422, [field]]);
    };
    await refused({ title: "abcd" }, "title");
    await refused({ title: "a".repeat(141) }, "title");
    await refused({ content: "a".repeat(19) }, "content");
    await refused({ content: "a".repeat(5001) }, "content");
    for (const more of [
      { title: "abcde", content: "a".repeat(20) },
      { title: "a".repeat(140), content: "á".repeat(5000) },
    ])
      expect((await postConsultation(app, await app.person(), more)).status).toBe(201);
  });

  test("publishes one of two overlapping consultations of a user, and one more after the window ended", async () => {
    const author = await app.person();
    await app.staySignedIn(author);
    const start = new Date();
    const send = () => postConsultation(app, author);
    for (const days of [0, 7]) {
      app.setNow(new Date(start.getTime() + days * DAY));
      const made = await whileRowLocked(app, "profiles", author.id, [send, send]);
      expect(made.map(({ status }) => status)).toEqual([201, 403]);
      expect(made[1]!.body.code).toBe("weekly_limit_reached");
      const used = await app.sql("select weekly_consultations_used as n from profiles where id = $1", [author.id]);
      expect(used).toEqual([{ n: 1 }]);
    }
    expect(await app.sql("select id from consultations where user_id = $1", [author.id])).toHaveLength(2);
  });

  test("responds 403 to the second one in a week with the days and the time until the next", async () => {
    const author = await app.person();
    const start = new Date("2026-05-04T10:00:00.000Z");
    await app.staySignedIn(author);
    const at = (passed: number, country = "Uruguay") => {
      app.setNow(new Date(start.getTime() + passed));
      return postConsultation(app, author, { country });
    };
    const limit = async () => (await app.call("GET", "/weekly-limit", undefined, author)).body;
    app.setNow(start);
    expect(await limit()).toMatchObject({ used: 0, resets_at: null, country: null });
    expect((await at(0)).status).toBe(201);
    const refused = await at(6 * DAY + HOUR);
    expect(refused.status).toBe(403);
    const until = new Date(start.getTime() + 7 * DAY).toISOString();
    expect(refused.body).toEqual({ code: "weekly_limit_reached", details: { days_until_reset: 1, until } });
    expect(await limit()).toMatchObject({ used: 1, max_consultations: 1, days_until_reset: 1, resets_at: until });
    expect((await at(7 * DAY + 1000, "Chile")).status).toBe(201);
    expect((await limit()).country).toBe("Chile");
    // The second consultation started a new window.
    expect((await at(8 * DAY)).body.details).toEqual({
      days_until_reset: 7,
      until: new Date(start.getTime() + 14 * DAY + 1000).toISOString(),
    });
  });

  test("shows an unused limit while it cannot be read", async () => {
    const author = await app.person();
    await ask(app, author);
    await app.sql("alter table profiles rename weekly_window_started_at to away");
    const { body } = await app
      .call("GET", "/weekly-limit", undefined, author)
      .finally(() => app.sql("alter table profiles rename away to weekly_window_started_at"));
    expect(body).toMatchObject({ used: 0, max_consultations: 1, days_until_reset: 7 });
  });

  test.each([
    [{ is_anonymous: true, author_name: "Lucía" }, null, "Anónimo"],
    [{ is_anonymous: "on" }, null, "Anónimo"],
    [{ is_anonymous: false, author_name: "  Lucía   del Mar " }, "Lucía del Mar", "Lucía del Mar"],
    [{ is_anonymous: false, author_name: "   " }, null, "Nombre Completo"],
    [{ is_anonymous: false }, null, "Nombre Completo"],
  ])("shows the author's name correctly for %j", async (more, stored, shown) => {
    const author = await app.person({ name: "Nombre Completo" });
    const id = await ask(app, author, more);
    expect(await app.sql("select author_name from consultations where id = $1", [id])).toEqual([
      { author_name: stored },
    ]);
    for (const as of [null, author, admin]) {
      const { body } = await readConsultation(app, id, as);
      expect(body.consultation.author_label).toBe(shown);
      expect(body.consultation.is_anonymous).toBe(shown === "Anónimo");
    }
  });

  test("responds 422 to an unknown value of is_anonymous, or to an edit without one, instead of publishing a name", async () => {
    const { author, id } = await askAnew(app);
    const unknown = ["1", 1, "yes", "TRUE", "tal vez", {}, ["on"]];
    for (const [method, path, values] of [
      ["POST", "/consultations", unknown],
      ["PATCH", `/consultations/${id}`, [...unknown, undefined, null, ""]],
    ] as const)
      for (const is_anonymous of values) {
        const refused = await app.call(method, path, consultationBody({ is_anonymous }), author);
        expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["is_anonymous"]]);
      }
    expect((await readConsultation(app, id)).body.consultation.is_anonymous).toBe(true);
  });
});
