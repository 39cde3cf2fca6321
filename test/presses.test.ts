/** Lost responses, repeated presses and 50 concurrent presses of a form create only one row. */
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestApp, type TestUser } from "./app.ts";
import { app, begin, mercadopago, paypal, psychologist, withPayments } from "./payment-app.ts";
import { ask, consultationBody, publishAnswer, retryWhileBusy } from "./threads.ts";

withPayments();

const KEY = "2026-11-24T12:00:00.000Z";

type Form = {
  as: TestUser | null;
  path: string;
  body: Record<string, unknown>;
  /** "PUT" for an operation that needs no key. */
  method?: string;
  /** The page that receives the form without JavaScript. */
  page: string;
  fields: Record<string, string>;
  counts: () => Promise<unknown>;
  once: unknown;
  remove?: (id: string) => Promise<{ status: number }>;
};

const count = async (table: string, where: string, value: string) =>
  (await app.sql<{ n: number }>(`select count(*)::integer as n from ${table} where ${where}`, [value]))[0]!.n;
const call = (method: string, path: string, as: TestUser | null) => app.call(method, path, undefined, as);
let messages = 0;

const FORMS: Record<string, () => Promise<Form>> = {
  async consultation() {
    const as = await app.person();
    const body = consultationBody({ notify_on_answer: true });
    return {
      as,
      path: "/consultations",
      body,
      page: "/nueva-consulta",
      fields: { ...body, is_anonymous: "on", notify_on_answer: "on" },
      counts: async () => ({
        rows: await count("consultations", "user_id = $1", as.id),
        used: (await call("GET", "/weekly-limit", as)).body.used,
      }),
      once: { rows: 1, used: 1 },
      remove: (id) => call("DELETE", `/consultations/${id}`, as),
    };
  },
  async answer() {
    const as = await psychologist();
    const id = await ask(app, await app.person(), { notify_on_answer: true });
    const content = "Una respuesta de prueba";
    return {
      as,
      path: `/consultations/${id}/answers`,
      body: { content },
      page: `/consulta/${id}/respuesta`,
      fields: { content },
      async counts() {
        const { consultation, viewer } = (await call("GET", `/consultations/${id}`, as)).body;
        const { response_count: shown } = consultation;
        const rows = await count("consultation_responses", "psychologist_id = $1", as.id);
        const mails = await count("pgboss.job", "name = 'mail' and data ->> 'consultation_id' = $1", id);
        return { rows, shown, used: viewer.answering.free_responses_used, mails };
      },
      once: { rows: 1, shown: 1, used: 1, mails: 1 },
      remove: (answer) => call("DELETE", `/answers/${answer}`, as),
    };
  },
  async reply() {
    const as = await app.person();
    const consultation = await ask(app, as);
    const answer = await publishAnswer(app, consultation, await psychologist());
    const content = "Gracias";
    return {
      as,
      path: `/answers/${answer}/replies`,
      body: { content },
      page: `/respuesta/${answer}/comentario`,
      fields: { content },
      counts: async () => ({
        rows: await count("consultation_replies", "user_id = $1", as.id),
        shown: (await call("GET", `/consultations/${consultation}`, as)).body.answers[0].reply_count,
      }),
      once: { rows: 1, shown: 1 },
      remove: (reply) => call("DELETE", `/replies/${reply}`, as),
    };
  },
  async review() {
    const as = await app.person();
    const { id } = await psychologist();
    return {
      as,
      method: "PUT",
      path: `/psychologists/${id}/review`,
      body: { rating: 4, comment: "Escucha bien.", show_name: false },
      page: `/psicologo/${id}/resena`,
      fields: { rating: "4", comment: "Escucha bien." },
      counts: async () => {
        const { total_reviews, rating } = (await call("GET", `/psychologists/${id}`, as)).body;
        const rows = await app.sql("select edited_at from psychologist_reviews where user_id = $1", [as.id]);
        return { rows, total_reviews, rating };
      },
      once: { rows: [{ edited_at: null }], total_reviews: 1, rating: 4 },
    };
  },
  async checkout() {
    const as = await psychologist();
    const body = { plan_type: "lifetime", method: "paypal" };
    const before = paypal.subscriptions.size;
    return {
      as,
      path: "/checkouts",
      body,
      page: "/planes",
      fields: { ...body, intent: "pay" },
      counts: async () => ({
        rows: await count("checkouts", "psychologist_id = $1", as.id),
        subscriptions: paypal.subscriptions.size - before,
      }),
      once: { rows: 1, subscriptions: 1 },
    };
  },
  async message() {
    const body = { name: "Rosa Luna", email: "rosa@example.com", message: `Una pregunta: ${++messages}.` };
    return {
      as: null,
      path: "/contact",
      body,
      page: "/contacto",
      fields: body,
      counts: async () => ({ rows: await count("contact_messages", "message = $1", body.message) }),
      once: { rows: 1 },
    };
  },
};

const inputOf = ({ method, body }: Form, key: string | null = KEY) => (method === "PUT" ? body : { ...body, key });
const press = (form: Form, key?: string | null) =>
  retryWhileBusy(() => app.call(form.method ?? "POST", form.path, inputOf(form, key), form.as));

/** Sends a request and closes the connection at the first byte of the response. */
const pressAndLose = (form: Form) =>
  new Promise<void>((lost) => {
    const headers = { origin: app.url, "content-type": "application/json", cookie: form.as?.cookie ?? "" };
    const sent = request(`${app.url}/api${form.path}`, { method: form.method ?? "POST", headers });
    sent.on("response", () => sent.destroy());
    sent.on("error", () => {});
    sent.on("close", lost);
    sent.end(JSON.stringify(inputOf(form)));
  });

describe.each(Object.keys(FORMS))("the form of a new %s", (kind) => {
  test("creates 1 row if the response is lost, the press is repeated and the reloaded form is sent", async () => {
    const form = await FORMS[kind]!();
    await pressAndLose(form);
    expect(await form.counts()).toEqual(form.once);

    const [second, third] = [await press(form), await press(form)];
    expect([200, 201]).toContain(second.status);
    expect(third).toMatchObject({ status: second.status, body: second.body });
    const reloaded = await app.form(form.page, { ...form.fields, key: KEY }, form.as);
    expect([reloaded.status, reloaded.text]).toEqual([302, ""]);
    expect(await form.counts()).toEqual(form.once);
  });

  test("creates 1 row for 50 concurrent presses, and responds to all alike", async () => {
    const form = await FORMS[kind]!();
    const all = await Promise.all(Array.from({ length: 50 }, () => press(form)));
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([200, 201]).toContain(all[0]!.status);
    expect(await form.counts()).toEqual(form.once);
  });
});

test.each(["consultation", "answer", "reply"])(
  "responds to a repetition with the %s that its author has deleted",
  async (kind) => {
    const form = await FORMS[kind]!();
    const { body } = await press(form);
    expect((await form.remove!(body.id)).status).toBe(200);
    expect(await press(form)).toMatchObject({ status: 201, body });
    expect(await form.counts()).toMatchObject({ rows: 0 });
  },
);

test("creates a row with the same key for each user, for each text and for each request without it", async () => {
  const form = await FORMS.reply!();
  const ids = [
    await press(form),
    await press({ ...form, as: await app.person() }),
    await press({ ...form, body: { content: "Gracias de nuevo" } }),
    await press(form, "otra"),
    await press(form, null),
    await press(form, null),
  ].map(({ status, body }) => [status, body.id]);
  expect(ids.every(([status]) => status === 201)).toBe(true);
  expect(new Set(ids.map(([, id]) => id)).size).toBe(6);
});

test("creates the row of a refused press when it is repeated later", async () => {
  const form = await FORMS.answer!();
  await app.sql("update psychologist_profiles set verified_at = null where id = $1", [form.as!.id]);
  expect((await press(form)).status).toBe(403);
  await app.sql("update psychologist_profiles set verified_at = now() where id = $1", [form.as!.id]);
  expect((await press(form)).status).toBe(201);
  expect(await form.counts()).toEqual(form.once);
});

test("responds to a repetition even if limits, consents or free answers would refuse it", async () => {
  const limited = await openTestApp({ beside: app, limits: true });
  onTestFinished(limited.close);
  const person = await limited.person();
  const send = (key: string, title = "Una pregunta de prueba") =>
    limited.call("POST", "/consultations", { ...consultationBody({ title }), key }, person);
  const all = await Promise.all(Array.from({ length: 50 }, () => retryWhileBusy(() => send("first"))));
  expect(new Set(all.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(all[0]!.status).toBe(201);
  expect((await send("second", "Otra pregunta")).status).toBe(429);
  await app.sql(
    "insert into consents (profile_id, kind, version, accepted_at, withdrawn_at) values ($1, 'health_data', '1', now(), now())",
    [person.id],
  );
  expect((await send("first")).body).toEqual(all[0]!.body);
});

test("stores a mark without the author's id", async () => {
  const form = await FORMS.consultation!();
  const { body } = await press(form);
  const [row] = await app.sql<{ mark: string }>("select * from presses where made_id = $1", [body.id]);
  expect(JSON.stringify(row)).not.toContain(form.as!.id);
  expect(row!.mark).toMatch(/^[\w-]{43}$/);
  expect(await app.sql("select has_table_privilege('divan_public', 'presses', 'select') as may")).toEqual([
    { may: false },
  ]);
});

describe("a repeated checkout", () => {
  const wanted = { plan_type: "monthly", method: "mercadopago", payer_email: "paga@mp.example", key: KEY };
  const openings = () => mercadopago.requests.filter(({ path }) => path === "/preapproval").length;

  test("waits for the first press instead of opening a second subscription", async () => {
    const as = await psychologist();
    const before = openings();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => retryWhileBusy(() => app.call("POST", "/checkouts", wanted, as))),
    );
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(all[0]!.body).toMatchObject({ status: "open", external_id: expect.any(String) });
    expect(openings() - before).toBe(1);
  });

  test("responds 502 again if the provider failed", async () => {
    const as = await psychologist();
    const send = () => begin(as, "lifetime", "paypal", { key: KEY });
    paypal.injectFault(/POST .*subscriptions/, "receiving", { status: 500, body: {} });
    expect(await send()).toMatchObject({ status: 502, body: { code: "payment_provider_failed" } });
    paypal.clearFaults();
    expect(await send()).toMatchObject({ status: 502, body: { code: "payment_provider_failed" } });
    expect(await begin(as, "lifetime", "paypal", { key: "otra" })).toMatchObject({ status: 201 });
  });

  test("opens the payment page 31 s after a server stopped before it could", async () => {
    const as = await psychologist();
    const { body } = await begin(as, "lifetime", "paypal", { key: KEY });
    await app.sql(
      "update checkouts set external_id = null, approval_url = null, created_at = now() - interval '31 seconds' where id = $1",
      [body.id],
    );
    expect(await begin(as, "lifetime", "paypal", { key: KEY })).toMatchObject({ status: 201, body });
  });
});
