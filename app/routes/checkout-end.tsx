import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { load, redirect } from "#app/lib/api.server.ts";
import { broadcastPayment } from "#app/memberships/payment-channel.ts";
import { failedWords, reviewWords } from "#app/memberships/words.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/checkout-end.ts";
import "../memberships/payment.css";

/** While a payment is not confirmed, the page looks again this often, and so many times. */
const LOOK_MS = 4000;
const LOOKS = 30;

/** What is said of a payment here. `left`: nothing was paid, as far as the payment service's page told. */
function wordsOf({ status, method }: CheckoutView, left: boolean): { title: string; description: string } {
  if (status === "paid")
    return { title: "¡Suscripción activada!", description: "Tu membresía Gold ha sido activada exitosamente." };
  if (status === "failed") return failedWords[method];
  if (status === "mismatch") return reviewWords;
  if (status === "expired")
    return { title: "Este pago ya ha terminado", description: "Ha pasado demasiado tiempo. Puedes empezar otro." };
  if (left) return { title: "El pago no se ha completado", description: "Puedes intentarlo otra vez cuando quieras." };
  return {
    title: "Estamos confirmando tu pago",
    description: "Puede tardar unos minutos. Tu membresía se activa sola: no hace falta que esperes aquí.",
  };
}

/**
 * Whether somebody came back without having paid, by what the payment service put into the address. Only words follow
 * from it: it can be forged. MercadoPago writes "null" where there is no payment, PayPal comes back from an approval alone.
 */
function cameBackUnpaid(address: URLSearchParams): boolean {
  const status = address.get("status") ?? address.get("collection_status");
  if (status) return !["approved", "authorized", "pending", "in_process"].includes(status);
  return address.has("preapproval_id");
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? wordsOf(loaderData.checkout, loaderData.left).title : "Pago"} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer, failed }) => {
    const { id } = args.params;
    const address = args.url;
    if (!viewer()) throw redirect(`/auth?volver=${encodeURIComponent(address.pathname)}`);
    const known = await api.memberships.checkout({ id });
    // The payment service is asked, of what failed or expired here too; where it cannot be, what we know is shown.
    const checkout =
      known.status === "paid"
        ? known
        : await api.memberships.reconcileCheckout({ id }).catch((error: unknown) => {
            failed(error);
            return known;
          });
    return { checkout, left: cameBackUnpaid(address.searchParams) };
  });

/** Where a payment window ends: it tells the window that opened it and closes. Alone in a tab it says how it went. */
export default function CheckoutEnd({ loaderData: { checkout, left } }: Route.ComponentProps) {
  const { title, description } = wordsOf(checkout, left);
  const { id, status, external_id } = checkout;
  const { revalidate, state } = useRevalidator();
  const [looks, setLooks] = useState(0);
  const confirming = status === "open" && !left;
  const told = useRef("");
  useEffect(() => {
    if (told.current === status) return;
    told.current = status;
    const opener = window.opener as Window | null;
    // The opener may be gone, cut off by the payment service's page: then the tab with the plans hears of it this way.
    if (!opener || confirming)
      return broadcastPayment({ checkout: id, said: status === "paid" || confirming ? "paid" : "closed" });
    opener.postMessage(
      status === "paid"
        ? { type: "payment_success", preference_id: external_id }
        : { type: "payment_error", message: description },
      location.origin,
    );
    window.close();
  }, [id, status, confirming, external_id, description]);
  useEffect(() => {
    if (!confirming || state !== "idle" || looks >= LOOKS) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      void revalidate();
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [confirming, state, looks, revalidate]);
  return (
    <main id="contenido" className="page section till">
      <div className="panel stack">
        {checkout.is_test && (
          <p>
            <Badge tone="wait">Modo de prueba</Badge>
          </p>
        )}
        <div role="status">
          <h1 className="h-l">{title}</h1>
          <p className="mt-[.75rem]">{description}</p>
        </div>
        <a className="btn btn--wide" href="/planes">
          {status === "paid" ? "Ver mi membresía" : "Volver a los planes"}
        </a>
      </div>
    </main>
  );
}
