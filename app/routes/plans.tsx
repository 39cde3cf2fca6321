import { type ReactNode, useEffect, useState } from "react";
import { data } from "react-router";
import { act, announce, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords, refusalWords } from "#app/lib/error-messages.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { FullLoads } from "#app/memberships/full-loads.tsx";
import {
  MembershipCard,
  MembershipHistory,
  OpenAtService,
  UntoldCancellations,
} from "#app/memberships/membership-card.tsx";
import { Offers } from "#app/memberships/offers.tsx";
import { paypalScriptAddress } from "#app/memberships/paypal-button.tsx";
import { PaymentUnderWay } from "#app/memberships/waiting-payment.tsx";
import { PLAN_WORDS } from "#app/memberships/words.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyArmchair } from "#app/ui/drawings.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/plans.ts";
import "../memberships/payment.css";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.plans === null ? "Acceso solo para psicólogos" : "Membresía Gold"} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer, scriptNonce }) => {
    const parameters = new URL(args.request.url).searchParams;
    const plan: PlanType = parameters.get("plan") === PLAN_WORDS.lifetime ? "lifetime" : "monthly";
    const me = viewer();
    const may = me?.user_type === "psychologist";
    const shown = {
      plans: may ? await api.memberships.plans({}) : null,
      signedIn: me !== null,
      email: me?.email ?? "",
      scriptNonce,
      plan,
      cancelling: parameters.has("cancelar"),
      otherwise: parameters.has("otra"),
    };
    return data(shown, may ? undefined : { status: 403 });
  });

/** Where there is no JavaScript: paying goes on in this tab. Cancelling comes here always. */
export async function action(args: Route.ActionArgs) {
  const { intent, id = "", plan_type, method, payer_email } = fieldsOf(args);
  const answer = await act(
    args,
    async (here) => {
      if (intent === "cancel") {
        const { provider } = await here.api.memberships.cancel({ id });
        announce(here, provider === "waiting" ? "subscription_cancelled_untold" : "subscription_cancelled");
        throw redirect("/planes");
      }
      if (intent === "tell") {
        const { provider } = await here.api.memberships.tellCancellation({ subscriptionId: id });
        announce(here, provider === "waiting" ? "subscription_cancelled_untold" : "subscription_cancelled_told");
        throw redirect("/planes");
      }
      const wanted = { plan_type, method, payer_email } as Parameters<typeof here.api.memberships.beginCheckout>[0];
      const checkout = await here.api.memberships.beginCheckout(wanted);
      throw redirect(`/planes/pago/${checkout.id}`);
    },
    intent,
  );
  return data({ ...answer.data, payer_email, at: page(args).now.getTime() }, answer.init ?? undefined);
}

export default function Plans({ loaderData, actionData }: Route.ComponentProps) {
  const { plans, signedIn, email, plan, cancelling, otherwise } = loaderData;
  // That of this document: what is loaded later brings others, which its policy does not know.
  const [nonce] = useState(loaderData.scriptNonce);
  const wantsNonce = nonce === null && plans?.paypal != null;
  useEffect(() => {
    // Led here by the router: the document's policy is that of another page.
    if (wantsNonce) location.reload();
  }, [wantsNonce]);
  // What is paid on this very page is followed where it is paid.
  const [wasPaying] = useState(plans?.paying != null);
  const underWay = wasPaying && !otherwise ? (plans?.paying ?? null) : null;
  const refused = useRefusalToast(actionData);
  const words = refused && refusalWords(refused);
  const said = words && (
    <FormMessage key={actionData?.at} title={words.title} className="mt-[1.5rem] max-w-[46rem]">
      {words.description}
    </FormMessage>
  );
  if (!plans) return <OnlyPsychologists signedIn={signedIn}>{said}</OnlyPsychologists>;
  const { membership, history } = plans;
  return (
    <main id="contenido" className="page section">
      <FullLoads />
      <h1 className="h-xl max-w-[20ch]">{membership ? "Tu membresía Gold" : "Responde sin contar las respuestas"}</h1>
      {!membership && (
        <p className="soft mt-[.75rem] max-w-[52ch]">
          Gold es para quien ya encontró su ritmo en {PRODUCT_NAME}. Preguntar seguirá siendo gratis para todas las
          personas.
        </p>
      )}
      {said}
      <div className="split mt-[2rem]">
        <div className="pay">
          {membership && <MembershipCard key={membership.id} membership={membership} cancelling={cancelling} />}
          <OpenAtService memberships={history} />
          <UntoldCancellations memberships={history} />
          {underWay && <PaymentUnderWay checkout={underWay} />}
          {(!membership || membership.can.upgrade) && !underWay && (
            <Offers
              plans={plans}
              plan={plan}
              paypalButton={nonce !== null && plans.paypal ? { src: paypalScriptAddress(plans.paypal), nonce } : null}
              email={actionData?.payer_email ?? email}
              emailError={refused?.fields?.payer_email}
            />
          )}
          <MembershipHistory memberships={membership ? [membership, ...history] : history} />
        </div>
        <Benefits />
      </div>
    </main>
  );
}

const BENEFITS = [
  "Respuestas ilimitadas",
  "Visitas, votos y reseñas de tu perfil, por día",
  "Mejor lugar en el ranking a igual calificación",
  "Insignia GOLD junto a tu nombre",
  "Soporte prioritario",
];

function Benefits() {
  return (
    <Panel tone="deep" title="Qué incluye Gold" className="px-[1.75rem] py-[2rem]">
      <ul className="ticks my-[1rem]">
        {BENEFITS.map((benefit) => (
          <li key={benefit}>
            <CheckIcon size="s" />
            <span>{benefit}</span>
          </li>
        ))}
      </ul>
      <p className="soft text-sm">
        No compra calificaciones ni oculta reseñas. Una vez pagado no hay reembolsos; la mensual se cancela cuando
        quieras, y Gold termina en ese momento.
      </p>
    </Panel>
  );
}

function OnlyPsychologists({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const { title, description } = errorWords("psychologists_only");
  return (
    <main id="contenido" className="page section">
      <FullLoads />
      <div className="empty max-w-[42rem]">
        <EmptyArmchair />
        <h1 className="h-l">{title}</h1>
        <p>{description}</p>
        {children}
        <div className="row">
          {!signedIn && (
            <ButtonLink to="/auth?volver=/planes" reloadDocument>
              Iniciar Sesión
            </ButtonLink>
          )}
          <ButtonLink to="/" variant="soft" reloadDocument>
            Volver al inicio
          </ButtonLink>
        </div>
      </div>
    </main>
  );
}
