import { data, Form, useNavigation } from "react-router";
import { act, fieldsOf, load, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { AppError } from "#shared/errors.ts";
import { amountWords, METHOD_NAMES, PLAN_NAMES } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/test-checkout.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Pago en modo de prueba · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

/** The demo's payment page; for a payment of a real service it does not exist. */
export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer }) => {
    const { id } = args.params;
    const me = viewer();
    if (!me) throw redirect(`/auth?volver=/planes/pago/${id}`);
    const checkout = await api.memberships.checkout({ id });
    if (!checkout.is_test) throw new AppError("checkout_not_found");
    if (checkout.status !== "open") throw redirect(`/planes/pago/${id}/fin`);
    return { checkout, buyer: me.full_name };
  });

export async function action(args: Route.ActionArgs) {
  const { id } = args.params;
  const { decision } = await fieldsOf(args.request);
  const answer = await act(args, async ({ api }) => {
    await api.testPayments.decide({ id, decision } as Parameters<typeof api.testPayments.decide>[0]);
    throw redirect(`/planes/pago/${id}/fin`);
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Looks and behaves like the window of a payment service: approve, reject, close. */
export default function TestCheckout({ loaderData: { checkout, buyer }, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const words = refused && errorWords(refused.code, refused.facts);
  const { state, formData } = useNavigation();
  const deciding = (decision: string) => state !== "idle" && formData?.get("decision") === decision;
  const { method, plan_type, amount, currency } = checkout;
  return (
    <main id="contenido" className="page section till">
      <div className="panel stack">
        <div className="row between">
          <h1 className="h-m">Pagar con {METHOD_NAMES[method]}</h1>
          <Badge tone="wait">Modo de prueba</Badge>
        </div>
        <p className="soft">
          Esta ventana imita la de {METHOD_NAMES[method]}. No se cobra dinero y no hay que escribir ninguna tarjeta.
        </p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            {words.description}
          </FormMessage>
        )}
        <p className="price">
          {amountWords(amount, currency)} <small>{currency}</small>
        </p>
        <dl className="figs">
          <div>
            <dt>Concepto</dt>
            <dd className="text-base!">Membresía Gold, {PLAN_NAMES[plan_type]}</dd>
          </div>
          <div>
            <dt>Paga</dt>
            <dd className="text-base!">{buyer}</dd>
          </div>
        </dl>
        <Form method="post" className="grid gap-[.75rem]">
          <Button type="submit" name="decision" value="approve" wide busy={deciding("approve")} busyText="Aprobando…">
            Aprobar el pago
          </Button>
          <Button
            type="submit"
            name="decision"
            value="reject"
            wide
            variant="danger"
            busy={deciding("reject")}
            busyText="Rechazando…"
          >
            Rechazar el pago
          </Button>
        </Form>
        <a
          className="btn btn--quiet btn--wide"
          href="/planes"
          onClick={(event) => {
            if (!window.opener) return;
            event.preventDefault();
            window.close();
          }}
        >
          Cerrar sin pagar
        </a>
      </div>
    </main>
  );
}
