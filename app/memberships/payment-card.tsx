import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { PlansView } from "#shared/memberships.ts";
import { amountWords, METHOD_NAMES, type PaymentMethod, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { blockedWords } from "./words.ts";

const FROM: Record<PaymentMethod, string> = { paypal: "Desde cualquier país", mercadopago: "En pesos argentinos" };

export interface PaymentCardProps {
  price: PlansView["prices"][number];
  state: PlansView["methods"][number]["state"];
  /** Nothing can be bought now. */
  disabled: boolean;
  processing: boolean;
  blocked: boolean;
  onPay: (plan: PlanType, method: PaymentMethod) => void;
}

/** One way to pay. Without JavaScript the form leads to the payment page in this tab. */
export function PaymentCard({ price, state, disabled, processing, blocked, onPay }: PaymentCardProps) {
  const { method, plan_type, amount, currency } = price;
  const name = METHOD_NAMES[method];
  const fields = (
    <>
      <input type="hidden" name="intent" value="pay" />
      <input type="hidden" name="plan_type" value={plan_type} />
      <input type="hidden" name="method" value={method} />
    </>
  );
  return (
    <section className={classNames("paycard", method === "mercadopago" && "bg-surface-2")} aria-labelledby={method}>
      <div className="row between">
        <h2 id={method} className="h-m">
          Con {name}
        </h2>
        <span className="faint">{FROM[method]}</span>
      </div>
      <p className="price">
        {amountWords(amount, currency)}{" "}
        <small>
          {currency}, {plan_type === "monthly" ? "por mes" : "un solo pago"}
        </small>
      </p>
      {state === "unavailable" ? (
        <p className="soft">Los pagos con {name} todavía no están disponibles.</p>
      ) : (
        <>
          <form
            method="post"
            action="/planes"
            onSubmit={(event) => {
              event.preventDefault();
              onPay(plan_type, method);
            }}
          >
            {fields}
            <Button
              type="submit"
              wide
              variant={method === "paypal" ? "primary" : "soft"}
              disabled={disabled}
              busy={processing}
              busyText="Esperando el pago…"
            >
              Pagar con {name}
            </Button>
          </form>
          {blocked && (
            <FormMessage title={blockedWords[method]}>
              <form method="post" action="/planes">
                {fields}
                <button type="submit" className="btn btn--quiet btn--s">
                  Pagar en esta pestaña
                </button>
              </form>
            </FormMessage>
          )}
          <p className="faint">
            {state === "test"
              ? `Modo de prueba: se abre una ventana que imita la de ${name} y no se cobra dinero.`
              : method === "paypal"
                ? `Se abre una ventana de PayPal. ${PRODUCT_NAME} no ve los datos de tu tarjeta.`
                : "Verifica que tu navegador no bloquee ventanas emergentes."}
          </p>
        </>
      )}
    </section>
  );
}
