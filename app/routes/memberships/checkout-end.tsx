import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { load, requireViewer } from "#app/lib/page-request.server.ts";
import { MAX_POLLS, POLL_MS } from "#app/memberships/checkout-state.ts";
import { broadcastPayment } from "#app/memberships/payment-channel.ts";
import { failedWords, reviewWords } from "#app/memberships/words.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES } from "#shared/plans.ts";
import type { Route } from "./+types/checkout-end.ts";
import "#app/memberships/payment.css";

/** How the provider sent the buyer back: without a payment, without saying which, or in another way. */
type Return = "unpaid" | "untold" | "other";

/** What is shown about a checkout. `isLong`: it was asked about for some minutes. */
function checkoutWords(
  { status, method }: CheckoutView,
  returned: Return,
  isLong: boolean,
): { title: string; description: string } {
  if (status === "paid")
    return { title: "¡Suscripción activada!", description: "Tu membresía Gold ha sido activada exitosamente." };
  if (status === "failed") return failedWords[method];
  if (status === "mismatch") return reviewWords;
  if (status === "expired")
    return { title: "Este pago ya ha terminado", description: "Ha pasado demasiado tiempo. Puedes empezar otro." };
  if (returned === "unpaid")
    return { title: "El pago no se ha completado", description: "Puedes intentarlo otra vez cuando quieras." };
  const name = METHOD_NAMES[method];
  if (returned === "untold" && isLong)
    return {
      title: `${name} todavía no muestra tu pago`,
      description:
        "Si lo confirmaste, tu membresía se activa sola: lo comprobamos cada 10 minutos. Si no, no se cobra nada y puedes intentarlo otra vez.",
    };
  if (returned === "untold")
    return {
      title: "Estamos confirmando tu pago",
      description: `${name} puede tardar unos minutos en mostrarlo. Si lo confirmaste, tu membresía se activa sola; si no llegaste a confirmarlo, no se cobra nada.`,
    };
  return {
    title: "Estamos confirmando tu pago",
    description: "Puede tardar unos minutos. Tu membresía se activa sola: no hace falta que esperes aquí.",
  };
}

/**
 * How the buyer came back, by the parameters that the provider put into the address. Only the words depend on it, since it
 * can be forged. MercadoPago writes "null" where there is no payment; for a subscription it says nothing, whether it was
 * approved or not. PayPal sends only approved buyers here.
 */
function returnOf(address: URLSearchParams): Return {
  const status = address.get("status") ?? address.get("collection_status");
  if (status) return ["approved", "authorized", "pending", "in_process"].includes(status) ? "other" : "unpaid";
  return address.has("preapproval_id") ? "untold" : "other";
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(loaderData ? checkoutWords(loaderData.checkout, loaderData.returned, false).title : "Pago");

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, asAppError }) => {
    const { id } = args.params;
    requireViewer(args);
    const known = await api.memberships.checkout({ id });
    // Failed and expired checkouts are reconciled too; where the provider cannot be read, the known status is shown.
    const checkout =
      known.status === "paid"
        ? known
        : await api.memberships.reconcileCheckout({ id }).catch((error: unknown) => {
            // Logged.
            asAppError(error);
            return known;
          });
    return { checkout, returned: returnOf(args.url.searchParams) };
  });

/** Where a payment window ends: it tells its opener and closes. Without an opener it shows the result. */
export default function CheckoutEnd({ loaderData: { checkout, returned } }: Route.ComponentProps) {
  const { id, status, external_id } = checkout;
  const { revalidate, state } = useRevalidator();
  const [polls, setPolls] = useState(0);
  const { title, description } = checkoutWords(checkout, returned, polls >= MAX_POLLS);
  const confirming = status === "open" && returned !== "unpaid";
  const reported = useRef("");
  useEffect(() => {
    if (reported.current === status) return;
    reported.current = status;
    const opener = window.opener as Window | null;
    // The opener may be gone, or cut off by the provider's page: then the tab with the plans learns of it this way.
    if (!opener || confirming)
      return broadcastPayment({ checkout: id, outcome: status === "paid" || confirming ? "paid" : "closed" });
    opener.postMessage(
      status === "paid"
        ? { type: "payment_success", preference_id: external_id }
        : { type: "payment_error", message: description },
      location.origin,
    );
    window.close();
  }, [id, status, confirming, external_id, description]);
  useEffect(() => {
    if (!confirming || state !== "idle" || polls >= MAX_POLLS) return;
    const timer = setTimeout(() => {
      setPolls(polls + 1);
      void revalidate();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [confirming, state, polls, revalidate]);
  return (
    <main id="contenido" className="page section checkout-card">
      <div className="panel stack">
        {checkout.is_test && (
          <p>
            <Badge tone="wait">Modo de prueba</Badge>
          </p>
        )}
        <div role="status">
          <h1 className="title-l">{title}</h1>
          <p className="panel__part">{description}</p>
        </div>
        <a className="button button--wide" href="/planes">
          {status === "paid" ? "Ver mi membresía" : "Volver a los planes"}
        </a>
      </div>
    </main>
  );
}
