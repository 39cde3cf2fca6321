import { type ReactNode, useEffect, useRef, useState } from "react";
import { data, href } from "react-router";
import { FormError, type FormState, useForm } from "#app/components/action-form.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { type PageContext, runLoader } from "#app/lib/page-request.server.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { CouchScene } from "#app/ui/illustrations.tsx";
import { type CancellationStatus, PLAN_TYPES, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/plans.ts";
import { NO_REFUNDS, PLAN_SLUGS } from "./checkout-messages.ts";
import {
  CancelledMembership,
  GrantedCard,
  MembershipCard,
  MembershipHistory,
  OpenAtProvider,
  UnconfirmedCancellations,
} from "./membership-card.tsx";
import { Offers } from "./offers.tsx";
import { type PaypalScript, paypalScriptUrl } from "./paypal-button.tsx";
import { UnfinishedPayment } from "./pending-payment.tsx";
import { useCheckout } from "./use-checkout.ts";
import "./payment.css";

export const handle: FailureHandle = { failed: { cancel: failure("No se pudo cancelar la suscripción") } };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData?.plans === null
    ? pageMeta("Acceso solo para psicólogos")
    : pageMeta("Membresía Gold", "Planes de la Membresía Gold para psicólogos verificados: mensual o de por vida.");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer, scriptNonce }) => {
    const parameters = args.url.searchParams;
    const may = viewer()?.user_type === "psychologist";
    const plans = may ? await api.memberships.plans({}) : null;
    const plan: PlanType = PLAN_TYPES.find((type) => parameters.get("plan") === PLAN_SLUGS[type]) ?? "monthly";
    const [cancelling, payAnotherWay] = [parameters.has("cancelar"), parameters.has("otra")];
    const shown = { plans, scriptNonce, plan, cancelling, payAnotherWay };
    return data(shown, may ? undefined : { status: 403 });
  });

async function cancellationNotice(api: PageContext["api"], provider: CancellationStatus) {
  const cancelled = provider === "waiting" ? "subscription_cancelled_unconfirmed" : "subscription_cancelled";
  const { granted } = await api.memberships.plans({});
  return granted ? (`${cancelled}_gold_granted` as const) : cancelled;
}

/** Pays without JavaScript in this tab. Also handles cancellations. */
export const action = formAction({
  async pay({ api, input, leave }) {
    const checkout = await api.memberships.beginCheckout(input("plan_type", "method", "payer_email", "key"));
    return leave(href("/planes/pago/:id", { id: checkout.id }));
  },
  async cancel({ api, fields, leave }) {
    const { provider } = await api.memberships.cancel({ id: fields.id ?? "" });
    return leave("/planes", await cancellationNotice(api, provider));
  },
  async retry_cancellation({ api, fields, leave }) {
    const { provider } = await api.memberships.retryCancellation({ subscriptionId: fields.id ?? "" });
    return leave(
      "/planes",
      provider === "confirmed" ? "subscription_cancellation_confirmed" : await cancellationNotice(api, provider),
    );
  },
});

type Plans = NonNullable<Route.ComponentProps["loaderData"]["plans"]>;

/** Returns PayPal's script with the nonce of this document, or null to hide PayPal's button. */
function usePaypalScript({ paypal }: Plans, nonce: string | null): PaypalScript | null {
  const wantsNonce = nonce === null && paypal != null;
  useEffect(() => {
    // The router navigated inside a document with the CSP of another page.
    if (wantsNonce) location.reload();
  }, [wantsNonce]);
  return nonce !== null && paypal ? { src: paypalScriptUrl(paypal), nonce } : null;
}

export default function PlansPage({ loaderData, actionData }: Route.ComponentProps) {
  // The nonce of this document. Later loads return other nonces, which its CSP rejects.
  const [scriptNonce] = useState(loaderData.scriptNonce);
  const form = useForm(actionData, { toast: true });
  const { viewer } = useAuth();
  const email = form.typed?.payer_email ?? viewer?.email ?? "";
  const { plans } = loaderData;
  useDocumentLinks();
  if (!plans) return <OnlyPsychologists form={form} />;
  return <PlansOf {...loaderData} plans={plans} scriptNonce={scriptNonce} form={form} email={email} />;
}

type PlansOfProps = Route.ComponentProps["loaderData"] & { plans: Plans; form: FormState; email: string };

function PlansOf({ plans, plan, cancelling, payAnotherWay, scriptNonce, form, email }: PlansOfProps) {
  const { membership, granted, history } = plans;
  const owned = membership !== null || granted !== null;
  const paypalButton = usePaypalScript(plans, scriptNonce);
  const [atFirst] = useState({ owned, membership, pending: plans.pending_checkout });
  // `useCheckout` shows a payment that starts on this page. One that is being confirmed can be paid in no other way.
  const mayPayAnotherWay = payAnotherWay && atFirst.pending?.payment_pending;
  const unfinished = atFirst.pending && !mayPayAnotherWay ? plans.pending_checkout : null;
  const checkout = useCheckout(membership);
  const offers = (!membership || membership.can.upgrade) && !unfinished;
  const title = useRef<HTMLHeadingElement>(null);
  // The pressed button disappears when a payment completes.
  useEffect(() => {
    if (owned && !atFirst.owned) title.current?.focus();
  }, [owned, atFirst]);
  const cancelled = membership === null && history[0]?.ended_by === "person" ? history[0] : null;
  return (
    <main id="contenido" className={classNames("page section rows plans", owned && "plans--subscribed")}>
      <div className="plans__title">
        <h1 ref={title} tabIndex={-1} className="title-xl">
          {owned ? "Tu membresía Gold" : "Responde sin contar las respuestas"}
        </h1>
        {!owned && (
          <p className="text-muted">
            Gold es para quien ya ha encontrado su ritmo en {PRODUCT_NAME}. Preguntar seguirá siendo gratis para todas
            las personas.
          </p>
        )}
        <FormError form={form} />
        {cancelled && <CancelledMembership membership={cancelled} focused={atFirst.membership !== null} />}
      </div>
      {!owned && <Benefits offered />}
      <div className="rows plans__checkout">
        {membership && (
          <MembershipCard key={membership.id} membership={membership} granted={granted} cancelling={cancelling} />
        )}
        {granted && membership?.plan_type !== "lifetime" && (
          <GrantedCard granted={granted} beside={membership !== null} />
        )}
        <OpenAtProvider memberships={history} />
        <UnconfirmedCancellations memberships={history} />
        {unfinished && (
          <UnfinishedPayment
            payment={unfinished}
            upgrade={membership !== null}
            onPayAnotherWay={checkout.forgetPending}
          />
        )}
        {offers && (
          <Offers
            plans={plans}
            plan={plan}
            checkout={checkout}
            paypalButton={paypalButton}
            email={email}
            emailError={form.errors.payer_email}
          />
        )}
        <MembershipHistory memberships={membership ? [membership, ...history] : history} />
      </div>
      {owned && <Benefits>{!offers && <p>{NO_REFUNDS}</p>}</Benefits>}
    </main>
  );
}

/** Makes links that leave the plans load a full page. Only payment pages may have the CSP that allows payment scripts. */
function useDocumentLinks() {
  useEffect(() => {
    const leave = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      // If the event never reaches the router, the browser follows the link itself.
      if (link && link.origin === location.origin && !/^\/planes(\/|$)/.test(link.pathname)) event.stopPropagation();
    };
    window.addEventListener("click", leave, true);
    return () => window.removeEventListener("click", leave, true);
  }, []);
}

const BENEFITS = [
  "Respuestas ilimitadas",
  "Visitas, votos y reseñas de tu perfil, por día",
  "Mejor lugar en el ranking a igual calificación",
  "Insignia GOLD junto a tu nombre",
  "Soporte prioritario",
];

function Benefits({ offered = false, children }: { offered?: boolean; children?: ReactNode }) {
  return (
    <section className={classNames("plans__benefits", offered && "plans__offer")} aria-labelledby="gold">
      <h2 id="gold" className={offered ? "title-m" : "title-s"}>
        Qué incluye Gold
      </h2>
      <ul className="check-list">
        {BENEFITS.map((benefit) => (
          <li key={benefit}>
            <Icon name="check" size="s" />
            <span>{benefit}</span>
          </li>
        ))}
      </ul>
      <div className="small plans__disclaimer">
        <p>No compra calificaciones ni oculta reseñas.</p>
        {children}
      </div>
      <CouchScene className="plans__illustration" />
    </section>
  );
}

function OnlyPsychologists({ form }: { form: FormState }) {
  const { viewer } = useAuth();
  const { title, description } = errorMessage("psychologists_only");
  return (
    <CenteredPage title={title}>
      <CenteredPageCard>
        <p>{description}</p>
        <FormError form={form} />
        <div className="row">
          {!viewer && (
            <ButtonLink to={signInPath("/planes")} reloadDocument>
              Iniciar Sesión
            </ButtonLink>
          )}
          <ButtonLink to="/" variant="soft" reloadDocument>
            Volver al inicio
          </ButtonLink>
        </div>
      </CenteredPageCard>
    </CenteredPage>
  );
}
