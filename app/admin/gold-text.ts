import { formatDate } from "#app/lib/dates.ts";
import type { GoldView } from "#shared/gold.ts";
import { PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";

/** Formats the end of a period. */
export const goldUntilText = (moment: string | null): string =>
  moment ? `hasta el ${formatDate(moment)}` : "sin fecha de fin";

/** Consequences of the proposed grant. */
export function grantConsequences(gold: GoldView): string[] {
  const { full_name, has_gold, gold_until, grant, membership, is_verified, if_granted } = gold;
  if (!if_granted) return [];
  const { ends_at, lasts_longer } = if_granted;
  const planEnd = membership?.next_billing_date && `el ${formatDate(membership.next_billing_date)}`;
  return [
    lasts_longer
      ? `${full_name} tiene Gold ${goldUntilText(if_granted.gold_until)}.`
      : `De momento nada cambia: ${full_name} ya tiene Gold ${goldUntilText(gold_until)}. Si eso termina antes, le queda Gold ${goldUntilText(ends_at)}.`,
    ...(grant ? [`Lo que tenía otorgado ${goldUntilText(grant.ends_at)} se reemplaza.`] : []),
    ...(membership?.renews
      ? [
          `Su plan ${PLAN_NAMES[membership.plan_type]} sigue igual: ${PROVIDER_NAMES[membership.provider]} lo vuelve a cobrar${planEnd ? ` ${planEnd}` : ""}. Otorgar Gold no lo cancela.`,
        ]
      : []),
    ...(has_gold || is_verified ? [] : ["Su cuenta no está verificada: no puede responder hasta que lo esté."]),
    "No cuesta nada, no se renueva y no ocupa un lugar del lanzamiento. Puede comprar un plan igualmente.",
  ];
}

/** Consequences of ending Gold. */
export function endConsequences({ if_ended, full_name }: GoldView): string[] {
  if (!if_ended) return [];
  const { plan_type, ends_grant, cancels } = if_ended;
  return [
    `${full_name} se queda sin Gold en este momento.`,
    ...(plan_type ? [`Termina su plan ${PLAN_NAMES[plan_type]}.`] : []),
    ...(ends_grant ? ["Termina lo que el equipo le otorgó."] : []),
    ...cancels.map(
      ({ provider, external_subscription_id }) =>
        `Se cancela su suscripción en ${PROVIDER_NAMES[provider]} (${external_subscription_id}), y se repite hasta que el servicio lo confirme.`,
    ),
    ...(plan_type || cancels.length
      ? ["No se devuelve dinero: si corresponde, devuélvelo en el servicio de pago."]
      : []),
    "Puede volver a comprar un plan. Esto no se puede deshacer; sí puedes otorgarle Gold otra vez.",
  ];
}
