import { describe, expect, test } from "vitest";
import { FLASH_MESSAGES, type FlashKey } from "#app/lib/flash-messages.ts";
import { whileRowLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { removalSteps } from "#test/removals.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, askAnew, postConsultation, publishAnswer, putVote, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const { limitOf, remove, versionOf } = removalSteps(app, admin);

describe("DELETE /admin/consultations/{id}", () => {
  test("restores no weekly limit for the administrator's own consultation, an earlier window or a deleted author", async () => {
    const own = await ask(app, admin);
    const { mine, removal_version } = (await readConsultation(app, own, admin)).body.viewer;
    expect([mine, removal_version]).toEqual([true, null]);
    expect((await remove(own)).body).toEqual({ done: true });
    await expect(ask(app, admin)).rejects.toThrow("weekly_limit_reached");
    const author = await app.person();
    const earlier = await ask(app, author);
    await app.sql("update consultations set created_at = created_at - interval '8 days' where id = $1", [earlier]);
    expect((await remove(earlier)).body).toEqual({ done: true });
    expect((await limitOf(author)).used).toBe(1);
    const left = await ask(app, await app.person());
    await app.sql("update consultations set user_id = null where id = $1", [left]);
    expect((await remove(left)).body).toEqual({ done: true });
  });

  test("responds 200 once and 410 to 11 concurrent requests, with one restored credit for a new window", async () => {
    const { author, id } = await askAnew(app);
    const answer = await publishAnswer(app, id, await app.person({ type: "psychologist" }));
    await putVote(app, "answers", answer, author);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => remove(id)));
    await expectCountersMatchRows(app);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 410)).toHaveLength(11);
    expect(await limitOf(author)).toMatchObject({ used: 0, days_until_reset: 7 });
    await ask(app, author);
    expect(await limitOf(author)).toMatchObject({ used: 1, days_until_reset: 7 });
    expect(await app.sql("select id from audit_log where target_id = $1", [id])).toHaveLength(1);
  });

  test("restores a credit that a waiting consultation uses, but none for one that was refused before", async () => {
    for (const removalFirst of [true, false]) {
      const { author, id } = await askAnew(app);
      const version = await versionOf(id);
      const starts = [() => remove(id, admin, version), () => postConsultation(app, author)];
      const answers = await whileRowLocked(app, "profiles", author.id, removalFirst ? starts : starts.toReversed());
      expect(answers.map(({ status }) => status)).toEqual(removalFirst ? [200, 201] : [403, 200]);
      expect((await limitOf(author)).used).toBe(removalFirst ? 1 : 0);
    }
  });

  test("writes an audit entry that contains only the target", async () => {
    const author = await app.person({ name: "Quien Preguntó" });
    const id = await ask(app, author);
    const outcome = await remove(id);
    const rows = await app.sql("select * from audit_log where target_id = $1", [id]);
    expect(rows).toMatchObject([{ actor_id: admin.id, action: "consultation_deleted", target_id: id, details: {} }]);
    const everything = JSON.stringify([rows, outcome.body, app.log]);
    for (const secret of [author.id, author.email, author.full_name]) expect(everything).not.toContain(secret);
  });

  test.each([
    ["the detail page", "/"],
    ["the list", "/admin/consultas"],
  ])("responds the same for every author from %s", async (from, redirect) => {
    const named = await ask(app, await app.person(), { is_anonymous: false });
    const anonymous = await ask(app, await app.person());
    const [authorless, earlier] = [await ask(app, await app.person()), await ask(app, await app.person())];
    await app.sql("update consultations set user_id = null where id = $1", [authorless]);
    await app.sql("update consultations set created_at = now() - interval '8 days' where id = $1", [earlier]);
    app.setNow(new Date());
    const send = async (id: string) => {
      const version = await versionOf(id);
      return from === "the list"
        ? app.form("/admin/consultas", { intent: "delete", id, version }, admin)
        : app.form(`/consulta/${id}/eliminar`, { version }, admin);
    };
    expect((await app.page(`/consulta/${named}`, admin)).text).toContain("Eliminar consulta");
    expect((await app.page(`/consulta/${named}/eliminar`, admin)).text).toContain("¿Eliminar esta consulta?");
    const responses: unknown[] = [];
    for (const id of [named, anonymous, authorless, earlier]) {
      const removed = await send(id);
      const [, notice] = /notice=(\w+)/.exec(removed.headers.get("set-cookie") ?? "") ?? [];
      responses.push([removed.status, removed.headers.get("location"), notice]);
    }
    expect(responses).toEqual(Array(4).fill(responses[0]));
    const [status, location, notice] = responses[0] as [number, string, FlashKey | undefined];
    expect([status, location]).toEqual([302, redirect]);
    const words = notice ? JSON.stringify(FLASH_MESSAGES[notice]) : (await app.page("/admin/consultas", admin)).text;
    expect(words).toContain("el crédito se devolvió si correspondía");
    expect((await send(named)).status).toBe(410);
  });
});
