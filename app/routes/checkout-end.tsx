import { useEffect } from "react";
import { load, redirect } from "#app/lib/api.server.ts";
import { failedWords } from "#app/memberships/words.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/checkout-end.ts";

function wordsOf({ status, method }: CheckoutView): { title: string; description: string } {
  if (status === "paid")
    return { title: "¡Suscripción activada!", description: "Tu membresía Gold ha sido activada exitosamente." };
  if (status === "failed") return failedWords[method];
  if (status === "expired")
    return { title: "Este pago ya terminó", description: "Pasó demasiado tiempo. Puedes empezar otro." };
  return {
    title: "Tu pago se está procesando",
    description: "Puede tardar unos minutos. Cuando se confirme, verás tu membresía en los planes.",
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? wordsOf(loaderData.checkout).title : "Pago"} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    if (!viewer()) throw redirect(`/auth?volver=/planes/pago/${args.params.id}/fin`);
    return { checkout: await api.memberships.checkout({ id: args.params.id }) };
  });

/** Where a payment window ends: it tells the window that opened it and closes. Alone in a tab it says how it went. */
export default function CheckoutEnd({ loaderData: { checkout } }: Route.ComponentProps) {
  const { title, description } = wordsOf(checkout);
  const { status, external_id } = checkout;
  useEffect(() => {
    const opener = window.opener as Window | null;
    if (!opener || status === "open") return;
    opener.postMessage(
      status === "paid"
        ? { type: "payment_success", preference_id: external_id }
        : { type: "payment_error", message: description },
      location.origin,
    );
    window.close();
  }, [status, external_id, description]);
  return (
    <main id="contenido" className="page section till">
      <div className="panel stack">
        {checkout.is_test && (
          <p>
            <Badge tone="wait">Modo de prueba</Badge>
          </p>
        )}
        <h1 className="h-l">{title}</h1>
        <p>{description}</p>
        <a className="btn btn--wide" href="/planes">
          {status === "paid" ? "Ver mi membresía" : "Volver a los planes"}
        </a>
      </div>
    </main>
  );
}
