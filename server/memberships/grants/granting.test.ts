import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { endGold, goldOf, goldUntil, grantGold } from "#test/gold.ts";
import {
  admin,
  advanceClock,
  app,
  begin,
  deleteAccount,
  deliver,
  hasGold,
  member,
  membershipRows,
  paypal,
  psychologist,
  reconcile,
  withPayments,
} from "#test/payment-app.ts";

withPayments({ start: new Date("2027-05-10T09:30:00.000Z"), workers: true });

const path = (person: TestUser) => `/admin/psychologists/${person.id}/gold`;
const auditOf = (id: string) =>
  app.sql<{ action: string; actor_id: string; details: Record<string, unknown> }>(
    "select action, actor_id, details from audit_log where target_id = $1 order by created_at, action",
    [id],
  );
const plans = async (as: TestUser) => (await app.call("GET", "/plans", undefined, as)).body;

describe("granting Gold", () => {
  test("gives it until the end of a day, without a payment, and takes no place of the launch", async () => {
    const person = await psychologist();
    const before = (await plans(person)).promotion.places_left;
    expect((await grantGold(person, "2027-05-11", "Por el corte del 3 de mayo")).status).toBe(200);
    expect(await hasGold(person)).toBe(true);
    expect(await goldUntil(person)).toEqual(new Date("2027-05-11T23:59:59.999Z"));
    expect(await membershipRows(person)).toEqual([]);
    expect(await plans(person)).toMatchObject({
      granted: { ends_at: "2027-05-11T23:59:59.999Z" },
      membership: null,
      refusal: null,
      promotion: { places_left: before },
    });
    const profile = await app.call("GET", "/profile", undefined, person);
    expect(profile.body.psychologist).toMatchObject({ subscription_active: true, subscription_id: null });
    expect(await auditOf(person.id)).toMatchObject([
      {
        action: "gold_granted",
        actor_id: admin.id,
        details: { ends_at: "2027-05-11T23:59:59.999Z", reason: "Por el corte del 3 de mayo" },
      },
    ]);
    const mail = await app.mailTo(person.email, /Tienes Gold/);
    expect(mail.text).toContain("te ha otorgado Gold hasta el 11 de mayo de 2027");
    expect(mail.text).toContain("Motivo: Por el corte del 3 de mayo");
    expect(mail.text).toContain("No cuesta nada y no se renueva");
    // It ends by its date, without any job.
    advanceClock(2 * DAY);
    expect(await hasGold(person)).toBe(false);
    expect((await plans(person)).granted).toBeNull();
    expect(await goldOf(person)).toMatchObject({ has_gold: false, gold_until: null });
    // One without an end does not become a lifetime membership either.
    await grantGold(person, "never");
    expect(await goldUntil(person)).toBe(Number.POSITIVE_INFINITY);
    expect((await goldOf(person)).earlier_grants).toMatchObject([{ ended_at: null }]);
    expect(await plans(person)).toMatchObject({ granted: { ends_at: null }, promotion: { places_left: before } });
  });

  test("tells before what follows, and for which days it is not possible", async () => {
    const person = await psychologist();
    const ask = (day: string) => app.call("GET", `${path(person)}?last_day=${day}`, undefined, admin);
    expect((await ask("2027-06-30")).body).toMatchObject({
      id: person.id,
      email: person.email,
      has_gold: false,
      membership: null,
      grant: null,
      if_granted: { ends_at: "2027-06-30T23:59:59.999Z", gold_until: "2027-06-30T23:59:59.999Z", lasts_longer: true },
      if_ended: null,
    });
    expect((await ask("never")).body.if_granted).toEqual({ ends_at: null, gold_until: null, lasts_longer: true });
    expect((await ask("2027-05-10")).status).toBe(200);
    for (const day of ["2027-05-09", "2038-01-01", "9999-12-31", "2027-02-30", "mañana"])
      expect([day, (await ask(day)).body.fields]).toEqual([day, { last_day: expect.stringMatching(/^Elige un día/) }]);
    expect((await grantGold(person, "2027-05-09")).body.code).toBe("invalid_input");
    expect((await grantGold(person, "2027-06-30", " ")).body.fields).toEqual({ reason: "Este dato es necesario." });
    expect(await hasGold(person)).toBe(false);
  });

  test("shows on the page that a day is over", async () => {
    const person = await psychologist();
    const page = await app.page(`/admin/psicologo/${person.id}/gold?hasta=2020-01-31`, admin);
    expect([page.status, page.text.includes("Elige un día a partir de hoy.")]).toEqual([200, true]);
  });

  test("works without JavaScript, and the owner sees on /planes that it costs nothing", async () => {
    const person = await psychologist();
    const press = async (fields: Record<string, string>) => {
      const { version } = await goldOf(person);
      const sent = await app.form(
        `/admin/psicologo/${person.id}/gold`,
        { version, reason: "Un motivo", ...fields },
        admin,
      );
      return sent.headers.get("set-cookie");
    };
    expect(await press({ intent: "grant", last_day: "never" })).toContain("notice=gold_granted;");
    const { text } = await app.page("/planes", person);
    for (const words of ["Tienes Gold, otorgado por el equipo", "No pagas nada por esto y no se renueva"])
      expect(text).toContain(words);
    expect(await press({ intent: "end" })).toContain("notice=gold_ended;");
    expect(await hasGold(person)).toBe(false);
  });

  test("refuses a grant to an unknown user or a user who is not a psychologist", async () => {
    const user = await app.person();
    for (const id of [user.id, "00000000-0000-4000-8000-000000000000"]) {
      const body = { version: "", last_day: "never", reason: "Un motivo" };
      for (const answer of [
        await app.call("GET", path({ ...user, id }), undefined, admin),
        await app.call("PUT", path({ ...user, id }), body, admin),
      ])
        expect(answer.body.code).toBe("psychologist_not_found");
    }
  });
});

test("extends Gold by ending the grant in force and beginning another, with its own reason", async () => {
  const person = await psychologist();
  await grantGold(person, "2027-06-30", "Primero");
  advanceClock(DAY);
  expect((await grantGold(person, "2027-06-30", "Igual")).body.fields.last_day).toContain("elige un día posterior");
  expect((await grantGold(person, "2027-12-31", "Después")).status).toBe(200);
  expect(await goldUntil(person)).toEqual(new Date("2027-12-31T23:59:59.999Z"));
  expect(await goldOf(person)).toMatchObject({
    grant: { reason: "Después", ended_at: null },
    earlier_grants: [{ reason: "Primero", ended_at: "2027-05-11T09:30:00.000Z" }],
  });
  expect((await auditOf(person.id)).map(({ action }) => action)).toEqual(["gold_granted", "gold_extended"]);
  expect((await app.mailTo(person.email, /Tienes Gold/)).text).toMatch(/ha alargado tu Gold|te ha otorgado Gold/);
  await grantGold(person, "never");
  expect((await grantGold(person, "2028-01-31")).body.fields.last_day).toBe("Ya tiene Gold otorgado sin fecha de fin.");
});

test("keeps a grant beside a membership when its owner cancels, and reports no end of Gold", async () => {
  const noticeOf = async (as: TestUser, id: string) => {
    const sent = await app.form("/planes", { intent: "cancel", id }, as);
    return /notice=(\w+)/.exec(sent.headers.get("set-cookie") ?? "")?.[1];
  };
  const made = await member("monthly", "mercadopago");
  const asked = await app.call("GET", `${path(made.person)}?last_day=2027-05-20`, undefined, admin);
  expect(asked.body).toMatchObject({ if_granted: { lasts_longer: false }, membership: { renews: true } });
  await grantGold(made.person, "2027-05-20");
  expect((await app.mailTo(made.person.email, /Tienes Gold/)).text).toContain("MercadoPago lo sigue cobrando");
  // The month is the later of the two.
  const month = (await membershipRows(made.person))[0]!.next_billing_date!;
  expect(await goldUntil(made.person)).toEqual(new Date(month.getTime() + 3 * DAY));
  expect(await noticeOf(made.person, made.subscription)).toBe("subscription_cancelled_gold_granted");
  expect(await goldUntil(made.person)).toEqual(new Date("2027-05-20T23:59:59.999Z"));
  expect(await hasGold(made.person)).toBe(true);
  const unconfirmed = await member("monthly", "paypal");
  await grantGold(unconfirmed.person, "never");
  paypal.injectFault(/cancel$/, "receiving", { status: 503, body: {} }, 1000);
  expect(await noticeOf(unconfirmed.person, unconfirmed.subscription)).toBe(
    "subscription_cancelled_unconfirmed_gold_granted",
  );
  const mail = await app.mailTo(unconfirmed.person.email, /Hay novedades/);
  expect(mail.text).toContain("Gold sigue activo, sin fecha de fin.");
});

describe("ending Gold by hand", () => {
  test("ends grants and the membership, cancels that at its provider, and notifies the person", async () => {
    const made = await member("monthly", "paypal");
    await grantGold(made.person, "2027-12-31");
    expect((await goldOf(made.person)).if_ended).toEqual({
      plan_type: "monthly",
      ends_grant: true,
      cancels: [{ provider: "paypal", external_subscription_id: made.external }],
    });
    advanceClock(1000);
    expect((await endGold(made.person, "Uso contrario a los términos")).status).toBe(200);
    expect(await hasGold(made.person)).toBe(false);
    expect(await goldUntil(made.person)).toBeNull();
    expect((await membershipRows(made.person))[0]).toMatchObject({ status: "cancelled", ended_by: "admin" });
    await expect.poll(() => paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    const mail = await app.mailTo(made.person.email, /ha terminado/);
    expect(mail.text).toContain("Motivo: Uso contrario a los términos");
    expect(mail.text).toContain("cancelamos tu suscripción en PayPal");
    expect(await auditOf(made.person.id)).toMatchObject([
      { action: "gold_granted" },
      { action: "gold_ended", actor_id: admin.id, details: { memberships: [made.subscription] } },
    ]);
    expect((await auditOf(made.subscription)).map(({ action }) => action)).toContain("membership_ended_by_admin");
    expect((await plans(made.person)).history).toMatchObject([{ ended_by: "admin", status: "cancelled" }]);
    // No reading brings it back; a new purchase does.
    await reconcile(made.person, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    expect((await begin(made.person, "monthly", "paypal")).status).toBe(201);
    // There is nothing more to end.
    expect((await endGold(made.person)).body.code).toBe("no_rows_updated");
  });

  test("keeps the place of a lifetime membership taken", async () => {
    const made = await member("lifetime", "paypal");
    const left = (await plans(made.person)).promotion.places_left;
    await endGold(made.person);
    expect(await hasGold(made.person)).toBe(false);
    expect((await plans(made.person)).promotion.places_left).toBe(left);
  });
});

describe("two administrators", () => {
  test("applies one of four concurrent grants or ends, responds 409 to three", async () => {
    const person = await psychologist();
    await grantGold(person, "2027-06-30");
    const { version } = await goldOf(person);
    const both = await Promise.all([
      app.call("PUT", path(person), { version, last_day: "2027-12-31", reason: "Alargar" }, admin),
      app.call("DELETE", path(person), { version, reason: "Terminar" }, admin),
      app.call("PUT", path(person), { version, last_day: "2027-12-31", reason: "Otra vez" }, admin),
      app.call("DELETE", path(person), { version, reason: "Otra vez" }, admin),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of both) if (status === 409) expect(body.code).toBe("version_conflict");
    const [grants] = await app.sql(
      "select count(*)::int as open from gold_grants where psychologist_id = $1 and ended_at is null",
      [person.id],
    );
    expect(grants).toEqual({ open: both[0]!.status === 200 || both[2]!.status === 200 ? 1 : 0 });
  });

  test("decide about what was shown: a payment meanwhile changes it", async () => {
    const person = await psychologist();
    const { version } = await goldOf(person);
    const made = await begin(person, "monthly", "paypal");
    await deliver(await paypal.approve(made.body.external_id));
    const body = { version, last_day: "2027-06-30", reason: "Un motivo" };
    const late = await app.call("PUT", path(person), body, admin);
    expect([late.status, late.body.code]).toEqual([409, "version_conflict"]);
  });
});

test("a deleted account takes its grants along, not its place of the launch, and the log has the grants", async () => {
  const [{ person }, other] = [await member("lifetime", "paypal"), await psychologist()];
  const { promotion } = await plans(other);
  await grantGold(person, "2027-06-30");
  await deleteAccount(person);
  expect(await app.sql("select from gold_grants where psychologist_id = $1", [person.id])).toEqual([]);
  expect(await auditOf(person.id)).toMatchObject([{ action: "gold_granted" }]);
  expect((await plans(other)).promotion).toEqual(promotion);
});
