import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { Route } from "./+types/checkout-end.ts";
import { PLAN_SLUGS } from "./checkout-messages.ts";
import {
  checkoutReturnMessage,
  hasReportedPayment,
  isPaymentExpected,
  parseCheckoutReturn,
  reportedPayment,
} from "./checkout-return.ts";
import { broadcastPayment, MAX_POLLS, POLL_MS } from "./checkout-state.ts";
import "./payment.css";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(loaderData ? checkoutReturnMessage(loaderData.checkout, loaderData.returned, false).title : "Pago");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, asAppError }) => {
    const { id } = args.params;
    requireViewer(args);
    const known = await api.memberships.checkout({ id });
    const returned = parseCheckoutReturn(args.url.searchParams);
    // Failed and expired checkouts are reconciled too. If the provider is unreachable, the page shows the known status.
    const checkout =
      known.status === "paid"
        ? known
        : await api.memberships
            .reconcileCheckout({
              id,
              returned: hasReportedPayment(known, returned),
              payment_id: reportedPayment(args.url.searchParams),
            })
            .catch((error: unknown) => {
              // Logs the error.
              asAppError(error);
              return known;
            });
    return { checkout, returned };
  });

/** Reports the result to its opener and closes. Without an opener it shows the result. */
export default function CheckoutEnd({ loaderData: { checkout, returned } }: Route.ComponentProps) {
  const { id, status, external_id, plan_type } = checkout;
  const { revalidate, state } = useRevalidator();
  const [polls, setPolls] = useState(0);
  const { title, description } = checkoutReturnMessage(checkout, returned, polls >= MAX_POLLS);
  const confirming = isPaymentExpected(checkout, returned);
  const refused = status === "failed" && !confirming;
  const reported = useRef("");
  useEffect(() => {
    if (reported.current === status) return;
    reported.current = status;
    const opener = window.opener as Window | null;
    // The opener may be closed or detached by the provider's page. Then a broadcast reaches the plans page.
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
          <p className="above-3">{description}</p>
        </div>
        <a className="button button--wide" href={refused ? `/planes?plan=${PLAN_SLUGS[plan_type]}` : "/planes"}>
          {status === "paid" ? "Ver mi membresía" : refused ? "Intentarlo otra vez" : "Volver a los planes"}
        </a>
      </div>
    </main>
  );
}
