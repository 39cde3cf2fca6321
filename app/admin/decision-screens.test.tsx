import type { ShouldRevalidateFunctionArgs } from "react-router";
import { describe, expect, test } from "vitest";
import type { GoldView } from "#shared/gold.ts";
import { markup, pageMarkup, wordsOf } from "#test/markup.tsx";
import { ApproveReject } from "./approve-reject.tsx";
import Desk, { meta } from "./desk.tsx";
import Gold, * as gold from "./gold.tsx";
import Memberships from "./memberships.tsx";
import { mailHref } from "./parts.tsx";
import Pending from "./pending.tsx";
import { groupUndoBanners } from "./undo-banners.tsx";

const MARCH = "2027-03-01T10:00:00.000Z";
const psychologist = { id: "p", full_name: "Ana Paz", email: "ana@correo.com" };
/** Hidden fields of the forms of a screen. */
const hidden = (html: string) =>
  [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);

describe("the Gold of a psychologist", () => {
  const paid = { provider: "paypal", plan_type: "monthly", amount: 499, currency: "USD", next_billing_date: MARCH };
  const granted = { id: "g", starts_at: MARCH, ends_at: MARCH, ended_at: null, reason: "Por un corte" };
  const gold = { ...psychologist, version: "1", earlier_grants: [], membership: null, grant: null, if_granted: null };
  const screen = (more: object, page: object = {}) =>
    pageMarkup(Gold, { loaderData: { gold: { ...gold, ...more }, ...page }, params: { id: "p" } });
  const shown = (...parts: Parameters<typeof screen>) => wordsOf(screen(...parts));
  const until = { lastDay: "2027-03-01" };
  const if_granted = { ends_at: MARCH, gold_until: MARCH, lasts_longer: true };

  test("names the consequences of a grant", () => {
    const first = shown({ if_granted }, until);
    expect(first).toContain("Ana Paz tiene Gold hasta el 1 de marzo de 2027. Su cuenta no está verificada");
    expect(first).toContain("Volver sin decidir");
    const next = { if_granted, is_verified: true, grant: granted, membership: { ...paid, renews: true } };
    const longer = shown(next, until);
    expect(longer).toContain("Lo que tenía otorgado hasta el 1 de marzo de 2027 se reemplaza.");
    expect(longer).toContain("PayPal lo vuelve a cobrar el 1 de marzo de 2027. Otorgar Gold no lo cancela.");
    expect(longer).not.toContain("no está verificada");
    const shorter = {
      ...next,
      membership: { ...paid, renews: false },
      if_granted: { ...if_granted, lasts_longer: false },
    };
    expect(shown(shorter, until)).toContain("De momento nada cambia: Ana Paz ya tiene Gold sin fecha de fin. Si eso");
    expect(shown(shorter, until)).not.toContain("lo vuelve a cobrar");
  });

  test("names the consequences of its end", () => {
    const ended = (if_ended: Partial<NonNullable<GoldView["if_ended"]>>) =>
      shown({ if_ended: { plan_type: null, ends_grant: false, cancels: [], ...if_ended } }, { ending: true });
    expect(ended({ ends_grant: true })).toContain("Termina lo que el equipo le otorgó. Puede volver a comprar");
    expect(ended({ plan_type: "lifetime" })).toContain("Termina su plan Lifetime. No se devuelve dinero");
    const cancels = [{ provider: "paypal", external_subscription_id: "I-1" } as const];
    expect(ended({ cancels })).toContain("Se cancela su suscripción en PayPal (I-1)");
    expect(ended({ cancels })).toContain("No se devuelve dinero");
  });

  test("sends a decision with the version that it was shown for", () => {
    expect(hidden(screen({ if_granted }, until))).toEqual([
      ["intent", "grant"],
      ["version", "1"],
      ["last_day", until.lastDay],
    ]);
    const if_ended = { plan_type: null, ends_grant: true, cancels: [] };
    expect(hidden(screen({ if_ended }, { ending: true }))).toEqual([
      ["intent", "end"],
      ["version", "1"],
    ]);
  });

  test("names a next charge only for a plan that renews, and extends no grant without an end", () => {
    expect(shown({ membership: { ...paid, renews: true } })).toContain("Próximo cobro 1 de marzo de 2027");
    expect(shown({ membership: { ...paid, renews: false } })).toContain("Pagado hasta 1 de marzo de 2027");
    expect(shown({})).toContain("Último día");
    expect(shown({ grant: granted })).toContain("Alargar el Gold otorgado");
    expect(shown({ grant: { ...granted, ends_at: null } })).not.toContain("Último día");
    const earlier_grants = [{ ...granted, ended_at: MARCH }];
    expect(shown({ earlier_grants })).toContain("terminado o alargado antes de su fecha");
  });
});

describe("the payments", () => {
  const problem = {
    id: "1",
    version: "1",
    kind: "unmatched",
    provider: "mercadopago",
    external_id: "77",
    can: { tie: true },
  };
  const payment = { amount: 499_900, currency: "ARS", refunded_amount: 0, paid_at: MARCH };
  const shown = (more: object) => {
    const payments = { problems: [{ ...problem, created_at: MARCH, ...more }] };
    return pageMarkup(Memberships, { loaderData: { payments, funnel: [] } });
  };

  test("offer to tie a payment only if the server allows it", () => {
    expect(shown({})).toContain("/admin/pago/1/vincular");
    expect(shown({ can: { tie: false } })).not.toContain("/vincular");
  });

  test("show the refunded part of a payment and link to it at its provider", () => {
    expect(shown({ payment })).not.toContain("devuelto:");
    expect(shown({ payment: { ...payment, refunded_amount: 100_000 } })).toContain("devuelto: 1.000 ARS");
    expect(shown({ payment })).toContain("Ver el pago en MercadoPago");
    expect(shown({ payment, provider: "test" })).not.toContain("Ver el pago en");
  });

  test("send a decision with the version of its problem", () => {
    expect(hidden(shown({}))).toEqual([
      ["intent", "read"],
      ["id", "1"],
      ["intent", "handle"],
      ["id", "1"],
      ["version", "1"],
    ]);
  });

  test("offer to stop only the cancellations that wait for a provider", () => {
    expect(shown({})).toContain("Marcar como atendido");
    expect(shown({ kind: "cancellation_unconfirmed" })).toContain("Dejar de intentarlo");
  });
});

describe("a pending psychologist", () => {
  const shown = (more: object, promised = MARCH) => {
    const item = {
      ...psychologist,
      version: "1",
      license_number: "9",
      created_at: "2027-02-01T10:00:00.000Z",
      ...more,
    };
    const loaderData = { list: { items: [item] }, mails: [], undoable: [], promised, query: {} };
    return wordsOf(pageMarkup(Pending, { loaderData }));
  };

  test("has waited too long only before a first decision", () => {
    expect(shown({})).toContain("Pasó de 48 horas");
    for (const more of [{ rejected_at: MARCH }, { changed_since_check: ["country"] }, { created_at: MARCH }])
      expect(shown(more)).not.toContain("48 horas");
    expect(shown({ changed_since_check: ["full_name", "country"] })).toContain(
      "Verificado antes; cambió su nombre y su país",
    );
  });

  test("is complete only with a country", () => {
    const rest = { specialty: "Clínica", bio: "Atiendo.", phone: "+51 955", whatsapp: "+51 955" };
    expect(shown({ ...rest, country: "Perú" })).toContain("Ficha completa");
    expect(shown(rest)).not.toContain("Ficha completa");
    expect(shown(rest)).toContain("Falta el país. Pregúntale su país");
    expect(shown({ ...rest, whatsapp: null })).toContain("Falta: WhatsApp");
  });

  test.each([
    [false, "Sigue en esta lista."],
    [true, "Vuelve a los pendientes y no podrá responder."],
  ])("reads the reason of a rejection, whose form says what follows after a check: %s", (again, hint) => {
    const failed = { error: { code: "unavailable" }, errors: {}, typed: { reason: "Un motivo" } } as const;
    const form = { psychologist: { ...psychologist, version: "1" }, again };
    expect(markup(<ApproveReject {...form} failed={null} />)).toContain(hint);
    expect(markup(<ApproveReject {...form} failed={null} />)).not.toContain('<details open=""');
    const refused = markup(<ApproveReject {...form} failed={failed} />);
    expect(refused).toContain('<details open=""');
    expect(refused).toContain("Un motivo</textarea>");
  });
});

test("encodes all characters of an email that end the path of a URL", () => {
  expect(mailHref("ana?cc&x#1%+b@correo.com")).toBe("mailto:ana%3Fcc%26x%231%25%2Bb@correo.com");
});

test.each([
  ["oldest first", ["1", "2", "3"], "3"],
  ["newest first", ["3", "2", "1"], "1"],
] as const)("shows an undoable decision in the place of its row in a list with the %s", (order, days, next) => {
  const at = (day: string) => `2027-02-0${day}T10:00:00.000Z`;
  const rows = days.filter((day) => day !== "2").map((day) => ({ id: day, created_at: at(day) }));
  const decided = { id: "d", decision: "psychologist_approved", target_id: "2", listed_at: at("2") } as never;
  expect([...groupUndoBanners([decided], ["psychologist_approved"], rows, order)]).toEqual([[next, [decided]]]);
  expect([...groupUndoBanners([decided], ["psychologist_approved"], rows.slice(0, 1), order)]).toEqual([
    ["", [decided]],
  ]);
  expect(groupUndoBanners([decided], ["consultation_deleted"], rows, order).size).toBe(0);
});

test("the page of Gold reloads after a conflict, which shows the new state", () => {
  const conflict = { actionStatus: 409, defaultShouldRevalidate: false } as ShouldRevalidateFunctionArgs;
  expect(gold.shouldRevalidate(conflict)).toBe(true);
});

test("counts what waits in the tabs of the desk, and everything in its totals", () => {
  const counts = { psychologists: 1200, pending: 1, verified: 1100, consultations: 5, messages: 2, payments: 3 };
  const loaderData = { summary: counts, overdue: 4 };
  const shown = wordsOf(pageMarkup(Desk, { loaderData }));
  for (const text of [
    ...["Pendientes 1 (1 espera)", "Mensajes 2 (2 esperan)", "Membresías 3 (3 esperan)", "Consultas 5 (5 en total)"],
    ...["Psicólogos 1.200 (1.200 en total)", "Ayuda 4 (4 por comprobar)"],
    ...["1.200 Total de psicólogos 1 Pendientes 1.100 Verificados 5 Total de consultas"],
  ])
    expect(shown).toContain(text);
});

test.each([
  ["/admin/", "Pendientes"],
  ["/admin/mensajes", "Mensajes"],
])("names the section %s in the title: %s", (pathname, label) => {
  const [title] = meta({ location: { pathname } } as never)!;
  expect(title).toEqual({ title: `Panel de Administración: ${label} · Diván` });
});

const undelivered = (mail: object) => {
  const loaderData = { list: null, mails: [mail], undoable: [], promised: MARCH, query: {} };
  return pageMarkup(Pending, { loaderData });
};

test("tells a mail that was given up from one that is retried, and why a mail about an answer has no details", () => {
  const mail = { id: "m", version: "1", attempts: 2, created_at: MARCH, last_error: null };
  const shown = (more: object) => wordsOf(undelivered({ ...mail, ...more }));
  expect(shown({ kind: "digest", gave_up: false })).toMatch(/Resumen diario Se reintenta solo .*2 intentos/);
  expect(shown({ kind: "digest", gave_up: false })).not.toContain("protegen a quien preguntó");
  expect(shown({ kind: "new_answer", gave_up: true })).toMatch(/Abandonado .*protegen a quien preguntó/);
});

test.each([
  [
    "Can't send mail - all recipients were rejected: 550 5.1.1 <…>: unknown user",
    "El buzón no existe o no acepta correo.",
  ],
  ["Message failed: 550 5.7.1 Rejected as spam", "El servidor de correo lo ha rechazado."],
  ["Can't send mail - all recipients were rejected: 452 <…>: mailbox full", "El buzón está lleno."],
  ["Recipient command failed: 422 4.2.2 Over quota", "El buzón está lleno."],
  ["Mail command failed: 451 4.3.0 Try later", "El servidor de correo no lo acepta por ahora."],
  ["connect ECONNREFUSED 10.0.0.1:587", "No se puede llegar al servidor de correo."],
  ["Greeting never received", "No se puede llegar al servidor de correo."],
  ["Unexpected end of input", ""],
])("explains %j in Spanish as %j, with the English words behind it", (last_error, meaning) => {
  const mail = { id: "m", version: "1", attempts: 1, created_at: MARCH, kind: "digest", gave_up: false, last_error };
  expect(/<p class="text-muted">([^<]*) <span lang="en">/.exec(undelivered(mail))?.[1]).toBe(meaning);
});
