import { type ReactNode, useEffect, useId } from "react";
import { Link } from "react-router";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formatCount, pluralize } from "#app/lib/format.ts";
import { postJson } from "#app/lib/post-json.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Tabs } from "#app/ui/link-row.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { PlansView } from "#shared/memberships.ts";
import { PLAN_NAMES, PLAN_TYPES, type PlanType } from "#shared/plans.ts";
import { NO_REFUNDS, PLAN_SLUGS } from "./checkout-messages.ts";
import { isAwaited } from "./checkout-state.ts";
import { PaymentCard, type PaymentProps } from "./payment-card.tsx";
import { PendingPaymentMessage } from "./pending-payment.tsx";
import "./payment.css";

type OffersProps = PaymentProps & { plans: PlansView; plan: PlanType };

export function Offers({ plans, plan, ...payment }: OffersProps) {
  const { pending, checkNow, forgetPending } = payment.checkout;
  // The browser counts, because a prefetch is not a visit.
  useEffect(() => {
    postJson("/api/events", { event: "view_premium_plans" }).catch(() => {});
  }, []);
  const upgrade = plans.membership?.can.upgrade ?? false;
  const shown = upgrade ? "lifetime" : plan;
  // With a monthly membership, "already subscribed" only concerns another month.
  const refused = upgrade && plans.refusal === "already_subscribed" ? null : plans.refusal;
  const refusal = refused && errorMessage(refused);
  return (
    <>
      {refusal && (
        <FormMessage tone="info" title={refusal.title}>
          {refusal.description}
        </FormMessage>
      )}
      {upgrade ? (
        <Panel title="Pasar a Lifetime">
          <p className="above-2">
            Se paga una sola vez. Cuando se confirma, tu plan mensual termina y le pedimos al servicio de pago que no lo
            cobre más.
          </p>
        </Panel>
      ) : (
        <Tabs
          label="Tipo de plan"
          items={PLAN_TYPES.map((type) => ({
            to: `/planes?plan=${PLAN_SLUGS[type]}`,
            label: PLAN_NAMES[type],
            current: plan === type,
          }))}
        />
      )}
      {shown === "lifetime" && plans.promotion && <LaunchPromotion promotion={plans.promotion} />}
      {pending && (
        <PendingPaymentMessage key={pending.kind} pending={pending} onCheck={checkNow} onForget={forgetPending} />
      )}
      <p className="text-muted small">{NO_REFUNDS}</p>
      {plans.prices
        .filter((price) => price.plan_type === shown)
        .map((price) => (
          <PaymentCard
            key={price.method}
            price={price}
            availability={plans.methods.find(({ method }) => method === price.method)!}
            disabled={refusal !== null || (pending !== null && isAwaited(pending))}
            {...payment}
          />
        ))}
      {shown === "monthly" && plans.promotion && (
        <LaunchPromotion promotion={plans.promotion}>
          <Link className="icon-link" to={`/planes?plan=${PLAN_SLUGS.lifetime}`}>
            Ver Lifetime
            <Icon name="forward" size="s" />
          </Link>
        </LaunchPromotion>
      )}
    </>
  );
}

type LaunchPromotionProps = { promotion: { places: number; places_left: number }; children?: ReactNode };

function LaunchPromotion({ promotion: { places, places_left }, children }: LaunchPromotionProps) {
  return (
    <section className="launch" aria-labelledby="launch">
      <h2 id="launch" className="title-s">
        Lanzamiento: acceso de por vida por 50 USD
      </h2>
      <p>
        Para los primeros {formatCount(places)} profesionales. {places_left === 1 ? "Queda " : "Quedan "}
        <b className="tabular-nums">{pluralize(places_left, "lugar", "lugares")}</b>.
      </p>
      <figure>
        <LaunchPlaces all={places} taken={places - places_left} />
        <figcaption className="tabular-nums">
          {formatCount(places - places_left)} de {formatCount(places)} lugares ocupados
        </figcaption>
      </figure>
      {children}
    </section>
  );
}

const PLACES_PER_ROW = 25;
const PLACE_SIZE = 20;

function outlineOf(seats: number): string {
  const rows = Math.floor(seats / PLACES_PER_ROW) * PLACE_SIZE;
  const rest = (seats % PLACES_PER_ROW) * PLACE_SIZE;
  return `M0 0h${PLACES_PER_ROW * PLACE_SIZE}v${rows}h${-PLACES_PER_ROW * PLACE_SIZE}zM0 ${rows}h${rest}v${PLACE_SIZE}h${-rest}z`;
}

function LaunchPlaces({ all, taken }: { all: number; taken: number }) {
  const id = useId();
  const height = Math.ceil(all / PLACES_PER_ROW) * PLACE_SIZE;
  return (
    <svg viewBox={`0 0 ${PLACES_PER_ROW * PLACE_SIZE} ${height}`} aria-hidden="true">
      <pattern id={`${id}-seat`} width={PLACE_SIZE} height={PLACE_SIZE} patternUnits="userSpaceOnUse">
        <g transform="translate(2 2)" fill="#fff">
          <rect x="2.3" width="11.4" height="11" rx="3.6" />
          <path d="M0 7.5a1.6 1.6 0 0 1 3.2 0V10h9.6V7.5a1.6 1.6 0 0 1 3.2 0v5.5a1.5 1.5 0 0 1-1.5 1.5H14V16h-2v-1.5H4V16H2v-1.5h-.5A1.5 1.5 0 0 1 0 13z" />
        </g>
      </pattern>
      <mask id={`${id}-seats`}>
        <rect width="100%" height="100%" fill={`url(#${id}-seat)`} />
      </mask>
      <g mask={`url(#${id}-seats)`}>
        <path className="launch__available" d={outlineOf(all)} />
        <path className="launch__taken" d={outlineOf(taken)} />
      </g>
    </svg>
  );
}
