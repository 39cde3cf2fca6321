import { type ReactNode, useEffect, useRef } from "react";
import { href } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES } from "#shared/plans.ts";
import { CONFIRMING, METHODS, mismatchMessage, NOTHING_CHARGED, pendingText } from "./checkout-messages.ts";
import { hasStoppedPolling, isAwaited, type PendingPayment } from "./checkout-state.ts";

type UnfinishedPaymentProps = { payment: CheckoutView; upgrade: boolean; onPayAnotherWay: () => void };

/** A payment that the provider completes later: cash, or a first charge. */
export function UnfinishedPayment({ payment, upgrade, onPayAnotherWay }: UnfinishedPaymentProps) {
  const { id } = payment;
  return (
    <FormMessage tone="info" title={CONFIRMING}>
      {pendingText(payment)}
      {upgrade && " Tu plan mensual sigue igual hasta entonces."}
      <p className="row above-3">
        <ButtonLink to={href("/planes/pago/:id/fin", { id })} variant="soft" small className="on-tint" reloadDocument>
          Comprobar ahora
        </ButtonLink>
        {payment.payment_pending && (
          <ButtonLink to="/planes?otra=1" variant="quiet" small onClick={onPayAnotherWay}>
            Pagar de otra manera
          </ButtonLink>
        )}
      </p>
    </FormMessage>
  );
}

type PendingPaymentMessageProps = { pending: PendingPayment; onCheck: () => void; onForget: () => void };

export function PendingPaymentMessage({ pending, onCheck, onForget }: PendingPaymentMessageProps) {
  const { kind, checkout } = pending;
  const name = METHOD_NAMES[checkout.method];
  const stopped = hasStoppedPolling(pending);
  const again = stopped && isAwaited(pending) && (
    <p className="row above-3">
      <button type="button" className="button button--soft button--small on-tint" onClick={onCheck}>
        Comprobar ahora
      </button>
      {!checkout.payment_pending && (
        <button type="button" className="button button--quiet button--small" onClick={onForget}>
          No llegué a pagar
        </button>
      )}
    </p>
  );
  const messages: Record<PendingPayment["kind"], { title: string; more: ReactNode }> = {
    confirming: {
      title: CONFIRMING,
      more: checkout.payment_pending
        ? pendingText(checkout)
        : stopped
          ? `${name} todavía no lo muestra y seguimos comprobándolo. Si has pagado, tu membresía se activa sola: no hace falta que esperes aquí.`
          : "Suele tardar menos de un minuto. Si has pagado, tu membresía se activa sola: puedes quedarte o salir.",
    },
    unreachable: {
      title: "Todavía no hemos podido comprobar tu pago",
      more: "No se ha perdido nada: si has pagado, tu membresía se activa sola cuando podamos comprobarlo.",
    },
    unfinished: {
      title: "El pago no se ha completado",
      more: checkout.is_test
        ? "La ventana se ha cerrado antes de terminar. No se ha cobrado nada; puedes intentarlo otra vez."
        : `Si has llegado a pagar, tu membresía se activa sola; si no, puedes intentarlo otra vez.${METHODS[checkout.method].unpaidHint[checkout.plan_type]}`,
    },
    review: { title: mismatchMessage.title, more: mismatchMessage.description },
    refused: {
      title: `${name} no aprobó el pago`,
      more: (
        <>
          {NOTHING_CHARGED}
          <p className="above-3">
            <a className="button button--soft button--small on-tint" href={`#${checkout.method}`}>
              Intentarlo otra vez
            </a>
          </p>
        </>
      ),
    },
  };
  // It is above the cards, so it may be outside the viewport.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} className="pending-payment">
      <FormMessage tone="info" title={messages[kind].title}>
        {messages[kind].more}
        {again}
      </FormMessage>
    </div>
  );
}
