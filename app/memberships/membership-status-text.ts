import { formatDate } from "#app/lib/format.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import type { MembershipView } from "#shared/memberships.ts";
import { formatAmount, type MembershipStatus, PROVIDER_NAMES } from "#shared/plans.ts";

type MembershipStatusText = {
  badge: string;
  tone: BadgeTone;
  date: [term: string, value: string];
  note: string | null;
  summary: string;
};

const BADGES: Record<MembershipStatus, { badge: string; tone: BadgeTone }> = {
  provisional: { badge: "Por confirmar", tone: "wait" },
  active: { badge: "Activa", tone: "done" },
  grace_period: { badge: "Activa", tone: "done" },
  unreadable: { badge: "Activa", tone: "done" },
  past_due: { badge: "En pausa", tone: "wait" },
  ending: { badge: "No se renueva", tone: "wait" },
  ended: { badge: "Terminada", tone: "wait" },
  revoked: { badge: "Terminada", tone: "wait" },
};

/** Returns the text of a current membership. Only an active one names its next charge: other dates end Gold. */
export function membershipStatusText(membership: MembershipView): MembershipStatusText {
  const { plan_type, membership_status, provider, next_billing_date, amount, currency } = membership;
  const { badge, tone } = BADGES[membership_status];
  const name = PROVIDER_NAMES[provider];
  const day = next_billing_date ? formatDate(next_billing_date) : "Sin fecha";
  const until = next_billing_date ? `el ${day}` : "pronto";
  const texts = (summary: string, note: string | null = null, lasts = day): MembershipStatusText => ({
    badge,
    tone,
    date: ["Gold hasta", lasts],
    note,
    summary: `${badge}. ${summary}`,
  });
  const testNote = provider === "test" ? "En modo de prueba no se cobra dinero y nada se renueva." : null;
  if (plan_type === "lifetime")
    return { ...texts("No tiene próximos cobros.", testNote), date: ["Vence", "Nunca: es de por vida"] };
  if (testNote) return texts(`Gold hasta ${until}; no se cobra dinero.`, testNote);
  switch (membership_status) {
    case "provisional":
      return texts(
        `Falta el primer cobro; mientras tanto, Gold hasta ${until}.`,
        `${name} hace el primer cobro más o menos una hora después de suscribirte. Ya tienes Gold; si el cobro no llega, termina ${until}.`,
      );
    case "grace_period":
      return texts(
        `Falta el cobro de este mes; Gold sigue mientras tanto, como máximo hasta ${until}.`,
        `Todavía no vemos el cobro de este mes en ${name}; puede tardar unos días. Gold sigue mientras tanto, y se renueva cuando llegue el cobro.`,
        `${day}, como máximo`,
      );
    case "unreadable":
      return texts(
        `Ahora no podemos comprobarla en ${name}; Gold sigue mientras tanto, como máximo hasta ${until}.`,
        `Ahora no podemos comprobar tu membresía en ${name}. El problema es nuestro o de ${name}, no tuyo: no tienes que hacer nada. Gold sigue mientras tanto, y seguimos intentándolo.`,
        `${day}, como máximo`,
      );
    case "past_due":
      return texts(
        `Gold hasta ${until}.`,
        `Tu suscripción está en pausa en ${name}, quizá porque no se pudo cobrar. Revísala allí: si no se reanuda, Gold termina ${until}.`,
      );
    case "ending":
      return texts(
        `Gold hasta ${until}.`,
        `La suscripción ya no sigue en ${name} y no habrá más cobros. Gold dura hasta que termine lo que pagaste.`,
      );
    case "active":
      return {
        ...texts(`Próximo cobro: ${day}, ${formatAmount(amount, currency)} ${currency}.`),
        date: ["Próximo pago", day],
      };
    default:
      return texts(`Gold hasta ${until}.`);
  }
}

export function historyStatusText(membership: MembershipView): string {
  const { membership_status, ended_by, in_force, cancelled_at, next_billing_date } = membership;
  if (in_force) return "Activa";
  const ended = cancelled_at ?? next_billing_date;
  const on = ended ? ` el ${formatDate(ended)}` : "";
  if (ended_by === "mismatch") return "No da Gold: no coincide con el plan";
  if (ended_by === "duplicate_payment") return "No da Gold: ya tenías una membresía";
  if (ended_by === "replaced") return `Terminó${on}: la reemplazó otra`;
  if (ended_by === "person") return `La cancelaste${on}`;
  if (ended_by === "admin") return `La terminó el equipo${on}`;
  if (membership_status === "revoked") return "Terminó: se devolvió el pago";
  if (membership_status === "past_due") return "Sin Gold: en pausa, sin el cobro del mes";
  return `Terminó${on}`;
}
