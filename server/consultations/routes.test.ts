import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, openTestApp, type TestApp } from "#test/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const DAY = 86_400_000;

describe("asking", () => {
  test("of 50 consultations by one person at once exactly one is published", async () => {
    const author = await app.person();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.call(
          "POST",
          "/consultations",
          { title: "La misma pregunta", content: "Un texto de prueba con más de veinte caracteres.", country: "Chile" },
          author,
        ),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(
      answers.filter((answer) => answer.status === 403 && answer.body.code === "weekly_limit_reached"),
    ).toHaveLength(49);
    const rows = await app.sql("select id from consultations where user_id = $1", [author.id]);
    expect(rows).toHaveLength(1);
  });
});
