import { type ReactNode, useEffect } from "react";
import { data } from "react-router";
import { act, announce, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { count, counted } from "#app/lib/numbers.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { FullLoads } from "#app/memberships/full-loads.tsx";
import { MembershipCard, MembershipHistory } from "#app/memberships/membership-card.tsx";
import { PaymentCard } from "#app/memberships/payment-card.tsx";
import { useCheckout } from "#app/memberships/use-checkout.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyArmchair } from "#app/ui/drawings.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { PlansView } from "#shared/memberships.ts";
import { PLAN_NAMES, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/plans.ts";

/** Words of the address for the plans. */
const PLAN_WORDS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.plans === null ? "Acceso solo para psicólogos" : "Membresía Gold"} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    const parameters = new URL(args.request.url).searchParams;
    const plan: PlanType = parameters.get("plan") === PLAN_WORDS.lifetime ? "lifetime" : "monthly";
    const me = viewer();
    const may = me?.user_type === "psychologist";
    const shown = {
      plans: may ? await api.memberships.plans({}) : null,
      signedIn: me !== null,
      plan,
      cancelling: parameters.has("cancelar"),
    };
    return data(shown, may ? undefined : { status: 403 });
  });

/** Where there is no JavaScript: paying goes on in this tab. Cancelling comes here always. */
export async function action(args: Route.ActionArgs) {
  const { intent, id = "", plan_type, method } = await fieldsOf(args.request);
  const answer = await act(
    args,
    async (here) => {
      if (intent === "cancel") {
        await here.api.memberships.cancel({ id });
        announce(here, "subscription_cancelled");
        throw redirect("/planes");
      }
      const checkout = await here.api.memberships.beginCheckout({ plan_type, method } as never);
      throw redirect(checkout.url);
    },
    intent,
  );
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

export default function Plans({ loaderData, actionData }: Route.ComponentProps) {
  const { plans, signedIn, plan, cancelling } = loaderData;
  const refused = useRefusalToast(actionData);
  const words = refused && errorWords(refused.code, refused.facts);
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
      <p className="soft mt-[.75rem] max-w-[52ch]">
        Gold es para quien ya encontró su ritmo en {PRODUCT_NAME}. Preguntar seguirá siendo gratis para todas las
        personas.
      </p>
      {said}
      <div className="split mt-[2rem]">
        <div className="pay">
          {membership ? (
            <MembershipCard key={membership.id} membership={membership} cancelling={cancelling} />
          ) : (
            <Offers plans={plans} plan={plan} />
          )}
          <MembershipHistory memberships={membership ? [membership, ...history] : history} />
        </div>
        <Benefits />
      </div>
    </main>
  );
}

function Offers({ plans, plan }: { plans: PlansView; plan: PlanType }) {
  const { processing, blocked, unfinished, begin } = useCheckout();
  // Counted by the browser once the page is shown; a page that was only fetched was seen by nobody.
  useEffect(() => {
    void fetch("/api/events", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ event: "view_premium_plans" }),
    }).catch(() => {});
  }, []);
  const refusal = plans.refusal && errorWords(plans.refusal);
  const stateOf = (method: string) => plans.methods.find((each) => each.method === method)?.state ?? "unavailable";
  return (
    <>
      {refusal && (
        <FormMessage tone="info" title={refusal.title}>
          {refusal.description}
        </FormMessage>
      )}
      {plans.promotion && <LaunchPromotion promotion={plans.promotion} />}
      <Tabs
        label="Tipo de plan"
        items={(["monthly", "lifetime"] as const).map((type) => ({
          to: `/planes?plan=${PLAN_WORDS[type]}`,
          label: PLAN_NAMES[type],
          current: plan === type,
        }))}
      />
      {unfinished && (
        <FormMessage tone="info" title="El pago no se completó">
          La ventana se cerró antes de terminar. No se cobró nada; puedes intentarlo otra vez.
        </FormMessage>
      )}
      {plans.prices
        .filter((price) => price.plan_type === plan)
        .map((price) => (
          <PaymentCard
            key={price.method}
            price={price}
            state={stateOf(price.method)}
            disabled={refusal !== null || (processing !== null && processing !== price.method)}
            processing={processing === price.method}
            blocked={blocked === price.method}
            onPay={begin}
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
