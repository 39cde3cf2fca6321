import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { Consequences, DecisionActions, mailHref } from "#app/admin/parts.tsx";
import { loadAdminPage } from "#app/admin/section.server.ts";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { GoldBadge, PendingBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatDate, formatUntil } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { TextArea, TextInput } from "#app/ui/field.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import type { GoldView, GrantView } from "#shared/gold.ts";
import { LIMITS } from "#shared/limits.ts";
import { formatAmount, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import { toIsoDay } from "#shared/time.ts";
import type { Route } from "./+types/gold.ts";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(loaderData ? `Gold de ${loaderData.gold.full_name}` : "Gold");

export const shouldRevalidate = reloadAfterConflict;

/** The URL contains the proposed decision: a last day (`hasta` or `siempre`), or the end of Gold (`terminar`). */
export const loader = (args: Route.LoaderArgs) =>
  loadAdminPage(args, async ({ api, asAppError, now }) => {
    const { id } = args.params;
    const asked = args.url.searchParams;
    const lastDay = asked.has("siempre") ? "never" : asked.get("hasta") || undefined;
    const shared = { lastDay, ending: asked.has("terminar"), today: toIsoDay(now) };
    try {
      return { gold: await api.gold.read({ id, last_day: lastDay }), dayError: undefined, ...shared };
    } catch (error) {
      const dayError = asAppError(error).body.fields?.last_day;
      if (!dayError) throw error;
      return { gold: await api.gold.read({ id }), dayError, ...shared };
    }
  });

export const action = formAction({
  async grant({ api, args, input, leave }) {
    const { id } = args.params;
    await api.gold.grant(input("version", "last_day", "reason", { id }));
    return leave(href("/admin/psicologo/:id/gold", { id }), "gold_granted");
  },
  async end({ api, args, input, leave }) {
    const { id } = args.params;
    await api.gold.end(input("version", "reason", { id }));
    return leave(href("/admin/psicologo/:id/gold", { id }), "gold_ended");
  },
});

export default function Gold({ loaderData, actionData, params }: Route.ComponentProps) {
  const { gold, lastDay, ending } = loaderData;
  const form = useForm(actionData, { toast: true });
  const pagePath = href("/admin/psicologo/:id/gold", { id: params.id });
  const { grant, if_granted, if_ended, version } = gold;
  const granting = grant
    ? { title: "Alargar el Gold otorgado", button: "Alargar" }
    : { title: "Otorgar Gold", button: "Otorgar Gold" };
  const decision = if_granted
    ? { ...granting, intent: "grant", variant: "primary" as const, consequences: grantConsequences(gold, if_granted) }
    : ending && if_ended
      ? {
          title: "Terminar su Gold",
          button: "Terminar su Gold",
          intent: "end",
          variant: "danger" as const,
          consequences: endConsequences(gold.full_name, if_ended),
        }
      : null;
  return (
    <CenteredPage
      key={version}
      title={`Gold de ${gold.full_name}`}
      wide
      before={
        decision ? (
          <BackLink to={pagePath}>Volver sin decidir</BackLink>
        ) : (
          <BackLink to="/admin/psicologos">Psicólogos</BackLink>
        )
      }
    >
      <CenteredPageCard>
        <FormError form={form} />
        <p className="row">
          {gold.has_gold ? <GoldBadge /> : <Badge>Sin Gold</Badge>}
          {gold.is_verified ? <VerifiedBadge /> : <PendingBadge />}
        </p>
        <GoldFacts gold={gold} />
      </CenteredPageCard>
      {decision ? (
        <Panel title={decision.title} className="centered-page__card">
          <Consequences lines={decision.consequences} />
          <ActionForm
            fields={{ intent: decision.intent, version, last_day: lastDay }}
            preventScrollReset
            className="stack"
          >
            <TextArea
              label="Motivo"
              rows={3}
              required
              limit={LIMITS.adminReason}
              hint="La persona lo lee en el correo que le enviamos, y queda en el registro."
              {...fieldOf(form, "reason")}
            />
            <DecisionActions cancel={pagePath}>
              <SubmitButton variant={decision.variant} busyText="Guardando…">
                {decision.button}
              </SubmitButton>
            </DecisionActions>
          </ActionForm>
        </Panel>
      ) : (
        <>
          {grant?.ends_at !== null && <GrantForm {...loaderData} title={granting.title} />}
          {if_ended && (
            <Panel title="Terminar su Gold" className="centered-page__card">
              <p className="text-muted">Gold termina en el momento. Antes de decidirlo verás qué pasaría.</p>
              <p>
                <ButtonLink to={`${pagePath}?terminar=1`} variant="soft" small>
                  Ver qué pasaría
                </ButtonLink>
              </p>
            </Panel>
          )}
          <EarlierGrants grants={gold.earlier_grants} />
        </>
      )}
    </CenteredPage>
  );
}

function GoldFacts({ gold }: { gold: GoldView }) {
  const { email, has_gold, gold_until, membership, grant } = gold;
  const mail = <a href={mailHref(email)}>{email}</a>;
  const facts: [term: string, value: ReactNode][] = [
    ["Gold", has_gold ? formatUntil(gold_until) : "No tiene"],
    ["Correo", mail],
  ];
  if (membership) {
    const { plan_type, provider, amount, currency, next_billing_date, renews } = membership;
    const from = provider === "test" ? "en modo de prueba" : `con ${PROVIDER_NAMES[provider]}`;
    const price = `${formatAmount(amount, currency)} ${currency}${plan_type === "monthly" ? " por mes" : ""}`;
    facts.push(["Plan que paga", `${PLAN_NAMES[plan_type]} ${from}, ${price}`]);
    if (next_billing_date) facts.push([renews ? "Próximo cobro" : "Pagado hasta", formatDate(next_billing_date)]);
    facts.push(["Número en el servicio", membership.external_subscription_id]);
  } else facts.push(["Plan que paga", "Ninguno"]);
  if (grant) {
    const reason = <span className="decision__reason">{grant.reason}</span>;
    facts.push(["Otorgado por el equipo", formatUntil(grant.ends_at)], ["Motivo", reason]);
  }
  return <Figures items={facts} className="decision__facts" />;
}

type GrantFormProps = Pick<Route.ComponentProps["loaderData"], "today" | "lastDay" | "dayError"> & { title: string };

function GrantForm({ title, today, lastDay, dayError }: GrantFormProps) {
  return (
    <Panel title={title} className="centered-page__card">
      <Form method="get" className="rows decision__until">
        <TextInput
          label="Último día"
          name="hasta"
          type="date"
          min={today}
          required
          defaultValue={lastDay === "never" ? undefined : lastDay}
          error={dayError}
        />
        <Button type="submit" variant="soft">
          Ver qué pasaría
        </Button>
        <Button type="submit" variant="quiet" name="siempre" value="1" formNoValidate>
          Sin fecha de fin
        </Button>
      </Form>
    </Panel>
  );
}

function EarlierGrants({ grants }: { grants: readonly GrantView[] }) {
  if (!grants.length) return null;
  return (
    <Panel title="Lo otorgado antes" className="centered-page__card">
      <ul className="stack above-3">
        {grants.map(({ id, starts_at, ends_at, ended_at, reason }) => (
          <li key={id}>
            <p>
              Desde el {formatDate(starts_at)} {formatUntil(ended_at ?? ends_at)}
              {ended_at && <span className="faint">, terminado o alargado antes de su fecha</span>}
            </p>
            <p className="text-muted">{reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const present = (lines: readonly (string | false | null | undefined)[]) => lines.filter((line) => line) as string[];

function grantConsequences(gold: GoldView, if_granted: NonNullable<GoldView["if_granted"]>): string[] {
  const { full_name, has_gold, gold_until, grant, membership, is_verified } = gold;
  const { ends_at, lasts_longer } = if_granted;
  const planEnd = membership?.next_billing_date && ` el ${formatDate(membership.next_billing_date)}`;
  return present([
    lasts_longer
      ? `${full_name} tiene Gold ${formatUntil(if_granted.gold_until)}.`
      : `De momento nada cambia: ${full_name} ya tiene Gold ${formatUntil(gold_until)}. Si eso termina antes, le queda Gold ${formatUntil(ends_at)}.`,
    grant && `Lo que tenía otorgado ${formatUntil(grant.ends_at)} se reemplaza.`,
    membership?.renews &&
      `Su plan ${PLAN_NAMES[membership.plan_type]} sigue igual: ${PROVIDER_NAMES[membership.provider]} lo vuelve a cobrar${planEnd ?? ""}. Otorgar Gold no lo cancela.`,
    !has_gold && !is_verified && "Su cuenta no está verificada: no puede responder hasta que lo esté.",
    "No cuesta nada, no se renueva y no ocupa un lugar del lanzamiento. Puede comprar un plan igualmente.",
  ]);
}

function endConsequences(full_name: string, if_ended: NonNullable<GoldView["if_ended"]>): string[] {
  const { plan_type, ends_grant, cancels } = if_ended;
  return present([
    `${full_name} se queda sin Gold en este momento.`,
    plan_type && `Termina su plan ${PLAN_NAMES[plan_type]}.`,
    ends_grant && "Termina lo que el equipo le otorgó.",
    ...cancels.map(
      ({ provider, external_subscription_id }) =>
        `Se cancela su suscripción en ${PROVIDER_NAMES[provider]} (${external_subscription_id}), y se repite hasta que el servicio lo confirme.`,
    ),
    (plan_type || cancels.length > 0) && "No se devuelve dinero: si corresponde, devuélvelo en el servicio de pago.",
    "Puede volver a comprar un plan. Esto no se puede deshacer; sí puedes otorgarle Gold otra vez.",
  ]);
}
