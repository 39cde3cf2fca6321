import { useEffect } from "react";
import { errorWords } from "#app/lib/error-messages.ts";
import { count, counted } from "#app/lib/numbers.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { PlansView } from "#shared/memberships.ts";
import { PLAN_NAMES, PLAN_TYPES, type PlanType } from "#shared/plans.ts";
import { PaymentCard } from "./payment-card.tsx";
import type { PaypalScript } from "./paypal-button.tsx";
import { isPatient, useCheckout } from "./use-checkout.ts";
import { WaitingPayment } from "./waiting-payment.tsx";
import { PLAN_WORDS } from "./words.ts";
import "./payment.css";

export interface OffersProps {
  plans: PlansView;
  plan: PlanType;
  paypalButton: PaypalScript | null;
  /** Proposed as the address of the account that pays. */
  email: string;
  emailError?: string;
}

/** What can be bought, and how a payment stands that was begun here. */
export function Offers({ plans, plan, paypalButton, email, emailError }: OffersProps) {
  const checkout = useCheckout(plans.membership);
  const { waiting } = checkout;
  // Counted by the browser once the page is shown; a page that was only fetched was seen by nobody.
  useEffect(() => {
    void fetch("/api/events", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ event: "view_premium_plans" }),
    }).catch(() => {});
  }, []);
  const upgrade = plans.membership?.can.upgrade ?? false;
  // Of somebody with a month in force, the refusal speaks of buying another month.
  const refused = upgrade && plans.refusal === "already_subscribed" ? null : plans.refusal;
  const refusal = refused && errorWords(refused);
  // Nobody pays a second time while the first may still be confirmed.
  const unsure = waiting !== null && waiting.kind !== "unfinished" && !isPatient(waiting);
  return (
    <>
      {refusal && (
        <FormMessage tone="info" title={refusal.title}>
          {refusal.description}
        </FormMessage>
      )}
      {plans.promotion && <LaunchPromotion promotion={plans.promotion} />}
      {upgrade ? (
        <Panel title="Pasar a Lifetime">
          <p className="mt-[.5rem]">Se paga una sola vez. Al confirmarse, tu plan mensual termina y no se cobra más.</p>
        </Panel>
      ) : (
        <Tabs
          label="Tipo de plan"
          items={PLAN_TYPES.map((type) => ({
            to: `/planes?plan=${PLAN_WORDS[type]}`,
            label: PLAN_NAMES[type],
            current: plan === type,
          }))}
        />
      )}
      {waiting && <WaitingPayment key={waiting.kind} waiting={waiting} onAsk={checkout.askNow} />}
      {plans.prices
        .filter((price) => price.plan_type === (upgrade ? "lifetime" : plan))
        .map((price) => (
          <PaymentCard
            key={price.method}
            price={price}
            way={plans.methods.find(({ method }) => method === price.method)!}
            checkout={checkout}
            disabled={refusal !== null || unsure}
            paypalButton={paypalButton}
            email={email}
            emailError={emailError}
          />
        ))}
    </>
  );
}

function LaunchPromotion({
  promotion: { places, places_left },
}: {
  promotion: { places: number; places_left: number };
}) {
  const taken = places - places_left;
  return (
    <section className="panel panel--gold row between" aria-labelledby="launch">
      <div>
        <h2 id="launch" className="h-s text-gold-ink">
          Lanzamiento: acceso de por vida por 50 USD
        </h2>
        <p>
          Para los primeros {places} profesionales. {places_left === 1 ? "Queda " : "Quedan "}
          <b className="num">{counted(places_left, "lugar", "lugares")}</b>.
        </p>
      </div>
      <div
        className="bar flex-[1_1_10rem] bg-surface"
        role="img"
        aria-label={`${count(taken)} de ${count(places)} lugares ocupados`}
      >
        <i className="bg-gold" style={{ width: `${(taken / places) * 100}%` }} />
      </div>
    </section>
  );
}
