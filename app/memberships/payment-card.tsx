import { type ReactNode, useState } from "react";
import { PressKey } from "#app/components/press.tsx";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { PlansView } from "#shared/memberships.ts";
import { formatAmount, METHOD_NAMES } from "#shared/plans.ts";
import { METHODS, PLAN_SLUGS, popupBlockedText } from "./checkout-messages.ts";
import { PaypalButton, type PaypalScript } from "./paypal-button.tsx";
import type { Checkout } from "./use-checkout.ts";
import "./payment.css";

export interface PaymentProps {
  checkout: Checkout;
  paypalButton: PaypalScript | null;
  email: string;
  emailError?: string;
}

interface PaymentCardProps extends PaymentProps {
  price: PlansView["prices"][number];
  availability: PlansView["methods"][number];
  disabled: boolean;
}

/** One payment method. Without JavaScript the form opens the payment page in this tab. */
export function PaymentCard(props: PaymentCardProps) {
  const { method, plan_type, amount, currency } = props.price;
  const { state } = props.availability;
  const name = METHOD_NAMES[method];
  return (
    <section
      className={classNames("payment-card", METHODS[method].button === "soft" && "payment-card--second")}
      aria-labelledby={method}
    >
      <div className="row row--apart">
        <h2 id={method} className="title-m">
          Con {name}
        </h2>
        <span className="faint">{METHODS[method].from}</span>
      </div>
      <p className="price">
        {formatAmount(amount, currency)}{" "}
        <small>
          {currency}, {plan_type === "monthly" ? "por mes" : "un solo pago"}
        </small>
      </p>
      {state === "unavailable" ? (
        <p className="text-muted">Los pagos con {name} todavía no están disponibles.</p>
      ) : (
        <PaymentOptions {...props} />
      )}
    </section>
  );
}

function PaymentOptions({
  price: { method, plan_type },
  availability: { state, asks_payer_email },
  checkout,
  disabled,
  paypalButton,
  email,
  emailError,
}: PaymentCardProps) {
  const name = METHOD_NAMES[method];
  // Stored for the form that pays in this tab.
  const [payer, setPayer] = useState(email);
  const [buttonReady, setButtonReady] = useState<boolean | null>(null);
  const asksPayer = asks_payer_email.includes(plan_type);
  const script = state === "ready" && method === "paypal" ? paypalButton : null;
  const processing = checkout.processing === method;
  const closed = disabled || (checkout.processing !== null && !processing);
  // Without JavaScript the error appears on the tab of the selected plan.
  const plansPath = `/planes?plan=${PLAN_SLUGS[plan_type]}`;
  const fields = (
    <>
      <input type="hidden" name="intent" value="pay" />
      <input type="hidden" name="plan_type" value={plan_type} />
      <input type="hidden" name="method" value={method} />
      <PressKey />
    </>
  );
  return (
    <>
      <div>
        {script && !closed && (
          <PaypalButton
            script={script}
            create={() => checkout.paypal.create(plan_type)}
            onEnd={checkout.paypal.end}
            onReady={setButtonReady}
          />
        )}
        {!(script && buttonReady && !closed) && (
          <form
            method="post"
            action={plansPath}
            className="payment-card__form"
            onSubmit={(event) => {
              // A submit before PayPal's button has rendered continues in this tab.
              if (script) return;
              event.preventDefault();
              void checkout.begin(plan_type, method, asksPayer ? payer : undefined);
            }}
          >
            {asksPayer && (
              <TextInput
                label={`Correo de tu cuenta de ${name}`}
                hint={`${name} solo acepta el pago desde la cuenta con este correo.`}
                error={emailError}
                type="email"
                name="payer_email"
                autoComplete="email"
                required
                maxLength={LIMITS.email.max}
                value={payer}
                onChange={(event) => setPayer(event.target.value)}
              />
            )}
            <Button
              type="submit"
              wide
              variant={METHODS[method].button}
              disabled={closed}
              busy={processing}
              busyText="Esperando el pago…"
            >
              Pagar con {name}
            </Button>
            {fields}
          </form>
        )}
      </div>
      {script && buttonReady === false && (
        <Note>El botón de PayPal no se ha podido cargar; el pago sigue en esta pestaña.</Note>
      )}
      {checkout.blocked === method && (
        <FormMessage title={popupBlockedText(method)}>
          <form method="post" action={plansPath}>
            {fields}
            {asksPayer && <input type="hidden" name="payer_email" value={payer} />}
            <button type="submit" className="button button--quiet button--small">
              Pagar en esta pestaña
            </button>
          </form>
        </FormMessage>
      )}
      <Note>
        {state === "test"
          ? `Modo de prueba: se abre una ventana que imita la de ${name} y no se cobra dinero.`
          : METHODS[method].windowNote}
      </Note>
    </>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="faint">{children}</p>;
