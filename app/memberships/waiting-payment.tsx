import { type ReactNode, useEffect, useRef } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES } from "#shared/plans.ts";
import { hasStoppedPolling, type Waiting } from "./use-checkout.ts";
import { reviewWords } from "./words.ts";

export interface PaymentUnderWayProps {
  payment: CheckoutView;
  /** The user wants to pay another way. */
  onOtherwise: () => void;
}

/** A payment that its service has not finished, where that takes longer than somebody waits: cash, or a first charge. */
export function PaymentUnderWay({ payment: { id, method }, onOtherwise }: PaymentUnderWayProps) {
  return (
    <FormMessage tone="info" title="Estamos confirmando tu pago">
      {METHOD_NAMES[method]} todavía no lo ha terminado. Con efectivo puede tardar días; el primer cobro de una
      suscripción, más o menos una hora. Tu membresía se activa sola: no hace falta que pagues otra vez.
      <p className="row mt-[.75rem]">
        <ButtonLink to={`/planes/pago/${id}/fin`} variant="soft" small className="bg-surface!" reloadDocument>
          Comprobar ahora
        </ButtonLink>
        <ButtonLink to="/planes?otra=1" variant="quiet" small onClick={onOtherwise}>
          Pagar de otra manera
        </ButtonLink>
      </p>
    </FormMessage>
  );
}

/** How a payment stands that is neither made nor refused, and what happens next. */
export function WaitingPayment({ waiting, onAsk }: { waiting: Waiting; onAsk: () => void }) {
  const { kind, checkout } = waiting;
  const name = METHOD_NAMES[checkout.method];
  const patient = hasStoppedPolling(waiting);
  const again = patient && (
    <p className="mt-[.75rem]">
      <button type="button" className="btn btn--soft btn--s bg-surface!" onClick={onAsk}>
        Comprobar ahora
      </button>
    </p>
  );
  const said: Record<Waiting["kind"], { title: string; more: ReactNode }> = {
    confirming: {
      title: "Estamos confirmando tu pago",
      more: patient
        ? `${name} todavía no lo confirma. Lo comprobamos cada 10 minutos: tu membresía se activa sola y el recibo llega a tu correo.`
        : "Suele tardar menos de un minuto. Puedes quedarte o salir: tu membresía se activa sola.",
    },
    unreachable: {
      title: "Todavía no hemos podido comprobar tu pago",
      more: "No se ha perdido nada: si has pagado, tu membresía se activa sola en unos minutos.",
    },
    unfinished: {
      title: "El pago no se ha completado",
      more: checkout.is_test
        ? "La ventana se ha cerrado antes de terminar. No se ha cobrado nada; puedes intentarlo otra vez."
        : "Si has llegado a pagar, tu membresía se activa sola en unos minutos; si no, puedes intentarlo otra vez.",
    },
    review: { title: reviewWords.title, more: reviewWords.description },
  };
  // It appears above the cards, which may have been scrolled away.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} className="scroll-my-[6rem]">
      <FormMessage tone="info" title={said[kind].title}>
        {said[kind].more}
        {kind !== "review" && kind !== "unfinished" && again}
      </FormMessage>
    </div>
  );
}
