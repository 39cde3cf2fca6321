import { beforeAll, describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { insertMembership } from "#test/own-data.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "#test/suite-setup.ts";
import { ask, askAnew, askMany, openThread, postAnswer, postReply, publishAnswer } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
const psychologist = setUpOnce(() => app.person({ type: "psychologist", name: "Paula Rivarola", gold: "active" }));

const list = async (as: TestUser, cursor = "") =>
  (await app.call("GET", `/notifications${cursor && `?cursor=${cursor}`}`, undefined, as)).body;
const unseen = async (as: TestUser) => (await app.call("GET", "/session", undefined, as)).body.user.new_notifications;
const kinds = async (as: TestUser) => (await list(as)).items.map(({ kind }: { kind: string }) => kind);

describe("GET /notifications", () => {
  test("shows an answer as new that waited for a lock while the author looked", async () => {
    const author = await app.person();
    const [second, third] = [await app.person({ type: "psychologist" }), await app.person({ type: "psychologist" })];
    const id = await ask(app, author);
    const [other] = await askMany(app, 1);
    await app.sql("update consultations set user_id = $1 where id = $2", [author.id, other]);
    await whileRowLocked(app, "consultations", id, [
      () => postAnswer(app, id, psychologist),
      async () => {
        await publishAnswer(app, other!, second);
        expect((await list(author)).items).toMatchObject([{ consultation: { id: other } }]);
        return postAnswer(app, id, third);
      },
    ]);
    expect(await unseen(author)).toBe(2);
  });

  test("lists an answer to an anonymous consultation, new until the author has seen the list", async () => {
    const { author, id } = await askAnew(app, { title: "La que espera respuesta", is_anonymous: true });
    expect(await list(author)).toEqual({ items: [], next_cursor: null });
    const answer = await publishAnswer(app, id, psychologist);
    expect(await unseen(author)).toBe(1);
    const consultation = { id, title: "La que espera respuesta", answer_id: answer };
    expect((await list(author)).items).toEqual([
      {
        id: answer,
        kind: "answer",
        created_at: expect.stringMatching(/:00\.000Z$/),
        is_new: true,
        people: 1,
        consultation,
        psychologist: { full_name: "Paula Rivarola", avatar_url: null },
      },
    ]);
    expect(await unseen(author)).toBe(0);
    expect((await list(author)).items).toMatchObject([{ id: answer, is_new: false }]);
  });

  test("lists replies for the answer's psychologist and the consultation's author, but never who wrote them", async () => {
    const { answer, author, psychologist: owner } = await openThread(app);
    const reader = await app.person({ name: "Rita Lectora" });
    await postReply(app, answer, author);
    await postReply(app, answer, reader);
    expect([await unseen(owner), await unseen(author)]).toEqual([2, 2]);
    expect(await kinds(owner)).toEqual(expect.arrayContaining(["reply", "reply"]));
    const { items } = await list(author);
    expect(items).toMatchObject([{ kind: "reply_to_consultation", psychologist: null }, { kind: "answer" }]);
    expect((await app.page("/notificaciones", owner)).text).toContain("Han comentado tu respuesta");
    expect((await app.page("/notificaciones", author)).text).toContain("Han comentado una respuesta a tu consulta");
    for (const person of [owner, author]) {
      const text = JSON.stringify(await list(person));
      for (const hidden of [reader.id, "Rita Lectora", author.id, author.full_name]) expect(text).not.toContain(hidden);
    }
    expect(await kinds(reader)).toEqual([]);
  });

  test("lists a verification, payments and the end of a membership", async () => {
    const pending = await app.person({ type: "psychologist", verified: false });
    expect(await kinds(pending)).toEqual([]);
    await app.sql("update psychologist_profiles set rejected_at = now() where id = $1", [pending.id]);
    expect(await kinds(pending)).toEqual(["rejected"]);
    await app.sql("update psychologist_profiles set verified_at = now() where id = $1", [pending.id]);
    expect(await kinds(pending)).toEqual(["verified"]);
    await app.sql(
      `with ended as (update checkouts set status = 'cancelled', cancelled_at = now() + interval '1 hour', ended_by = 'person'
         where id = $1 returning *)
       insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, created_at)
         select id, provider, 'sale', amount, currency, 'completed', now() + interval '1 minute' from ended`,
      [await insertMembership(app, pending)],
    );
    expect(await kinds(pending)).toEqual(["membership_ended", "charged", "verified"]);
    const { text } = await app.page("/notificaciones", pending);
    const links = text.matchAll(/class="title-link cover-link" href="([^"]*)"[^>]*>(?:<span.*?<\/span>)?([^<]*)/g);
    expect(Array.from(links, ([, path, title]) => [path, title])).toEqual([
      ["/planes", "Tu Membresía Gold no se renueva más"],
      ["/planes", "Hemos recibido un pago de tu Membresía Gold"],
      ["/perfil", "Hemos verificado tu cuenta"],
    ]);
  });

  describe("a membership that could not be charged", () => {
    let member: TestUser;
    const DAYS = "interval '1 day'";
    const pay = (id: string, status: string, at: string) =>
      app.sql(
        `insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at)
         select id, provider, $2, amount, currency, $3, now() + $4::interval from subscriptions where psychologist_id = $1`,
        [member.id, id, status, at],
      );
    /** Sets the provider's state, and the end of the paid month, in days from now. */
    const set = (state: string, days: number) =>
      app.sql(`update checkouts set state = $2, next_billing_date = now() + $3 * ${DAYS} where psychologist_id = $1`, [
        member.id,
        state,
        days,
      ]);
    beforeAll(async () => {
      member = await app.person({ type: "psychologist" });
      await insertMembership(app, member);
      await app.sql("update psychologist_profiles set verified_at = now() - interval '1 year' where id = $1", [
        member.id,
      ]);
    });

    test("lists a failed payment until a later payment succeeds", async () => {
      await set("active", 20);
      expect(await kinds(member)).toEqual(["verified"]);
      await pay("failed", "failed", "-2 days");
      expect(await kinds(member)).toEqual(["payment_failed", "verified"]);
      expect((await app.page("/notificaciones", member)).text).toContain("No hemos podido cobrar tu Membresía Gold");
      await pay("paid", "completed", "-1 day");
      expect(await kinds(member)).toEqual(["charged", "verified"]);
    });

    test.each([
      ["suspended", -1, true],
      ["suspended", 5, false],
      ["active", -1, false],
      ["active", -4, true],
      ["cancelled", -4, false],
    ] as const)(
      "lists no failed payment if it is %s, %i days after the paid month: %s",
      async (state, days, listed) => {
        await app.sql("delete from payment_transactions");
        await set(state, days);
        expect((await kinds(member)).includes("payment_failed")).toBe(listed);
      },
    );
  });

  test("returns pages of 20, and marks only the first as seen", async () => {
    const { author, id } = await askAnew(app);
    for (let n = 0; n < 23; n++) await publishAnswer(app, id, psychologist, `Respuesta ${n}`);
    const first = await list(author);
    expect(first.items).toHaveLength(20);
    const rest = await list(author, first.next_cursor);
    expect(rest).toMatchObject({ items: [{}, {}, {}], next_cursor: null });
    const ids = [...first.items, ...rest.items].map((item: { id: string }) => item.id);
    expect(new Set(ids).size).toBe(23);
    expect((await app.call("GET", "/notifications?cursor=abc", undefined, author)).status).toBe(422);
    const older = `/notificaciones?cursor=${first.next_cursor}`;
    const { text } = await app.page("/notificaciones", author);
    for (const part of [`href="${older}"`, "<b>Paula Rivarola</b> ha respondido tu consulta"])
      expect(text).toContain(part);
    expect((await app.page(older, author)).text).toContain("Volver a las más recientes");
  });

  test("leaves out what happened to others, also for the administrator", async () => {
    await openThread(app);
    expect(await kinds(admin)).toEqual([]);
    expect((await app.page("/notificaciones")).text).toContain("Debes iniciar sesión para ver tus novedades.");
  });
});

test("/notificaciones without JavaScript leaves the choices that its form does not show", async () => {
  const fields = new URLSearchParams("shown=digest&digest=on&digest_categories=Duelo&digest_categories=Familia");
  expect((await app.form("/notificaciones", fields, psychologist)).status).toBe(302);
  expect((await app.form("/notificaciones", { device_off: "on" }, psychologist)).status).toBe(302);
  const { body } = await app.call("GET", "/notifications/choices", undefined, psychologist);
  expect(body).toMatchObject({ digest: true, digest_categories: ["Duelo", "Familia"] });
});
