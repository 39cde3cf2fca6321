import { href, redirect } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Figures } from "#app/ui/panel.tsx";
import { formatAmount, METHOD_NAMES, PLAN_NAMES } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/checkout.ts";
import "./payment.css";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(loaderData?.checkout.is_test ? "Pago en modo de prueba" : "Pago");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    const { full_name } = requireViewer(args);
    const checkout = await api.memberships.checkout({ id });
    if (checkout.status !== "open") throw redirect(href("/planes/pago/:id/fin", { id }));
    return { checkout, buyer: full_name };
  });

export const action = formAction(async ({ api, args, fields, input, leave }) => {
  const { id } = args.params;
  await api.testPayments.decide(input({ id, decision: fields.intent }));
  return leave(href("/planes/pago/:id/fin", { id }));
});

export default function Checkout({ loaderData: { checkout, buyer }, actionData }: Route.ComponentProps) {
  const { method, plan_type, amount, currency, is_test, url } = checkout;
  const name = METHOD_NAMES[method];
  const form = useForm(actionData);
  return (
    <main id="contenido" className="page section checkout-card">
      <div className="panel stack">
        <div className="row row--apart">
          <h1 className="title-m">Pagar con {name}</h1>
          {is_test && <Badge tone="wait">Modo de prueba</Badge>}
        </div>
        <p className="text-muted">
          {is_test
            ? `Esta ventana imita la de ${name}. No se cobra dinero y no hay que escribir ninguna tarjeta.`
            : `El pago sigue en la página de ${name} y después vuelves aquí. ${PRODUCT_NAME} no ve los datos de tu tarjeta.`}
        </p>
        <p className="price">
          {formatAmount(amount, currency)} <small>{currency}</small>
        </p>
        <Figures
          items={[
            ["Concepto", `Membresía Gold, ${PLAN_NAMES[plan_type]}`],
            ["Paga", buyer],
          ]}
          className="figures checkout-card__facts"
        />
        {is_test ? (
          <>
            <FormError form={form} />
            <div className="test-decision">
              <ActionForm fields={{ intent: "approve" }}>
                <SubmitButton wide busyText="Aprobando…">
                  Aprobar el pago
                </SubmitButton>
              </ActionForm>
              <ActionForm fields={{ intent: "reject" }}>
                <SubmitButton wide variant="danger" busyText="Rechazando…">
                  Rechazar el pago
                </SubmitButton>
              </ActionForm>
            </div>
          </>
        ) : (
          <a className="button button--wide" href={url}>
            Ir a {name}
          </a>
        )}
        <a
          className="button button--quiet button--wide"
          href="/planes"
          onClick={(event) => {
            if (!window.opener) return;
            event.preventDefault();
            window.close();
          }}
        >
          {is_test ? "Cerrar sin pagar" : "Volver a los planes"}
        </a>
      </div>
    </main>
  );
}
