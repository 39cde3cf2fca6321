import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import { blockedWords, failedWords, notBegunWords, paidWords, unknownWords } from "./words.ts";

// Specification, section 9.
const WINDOW = "popup,width=600,height=700";
const LOOK_MS = 1000;

/** Asks our own API. Rejects with the refusal, or with null when there is no answer. */
async function post(path: string, body: object): Promise<CheckoutView> {
  const response = await fetch(`/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) ?? null;
  if (!response?.ok) throw answer as ErrorBody | null;
  return answer as CheckoutView;
}

/**
 * Pays in a window of its own. What that window says is a hint: each time the server is asked, and only its answer counts.
 */
export function useCheckout() {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  /** On while the payment window is open. */
  const [processing, setProcessing] = useState<PaymentMethod | null>(null);
  const [blocked, setBlocked] = useState<PaymentMethod | null>(null);
  const [unfinished, setUnfinished] = useState(false);
  const stopWatching = useRef(() => {});
  useEffect(() => () => stopWatching.current(), []);

  async function settle(checkout: CheckoutView) {
    try {
      const { status } = await post(`/checkouts/${checkout.id}/reconciliation`, {});
      if (status === "paid") {
        toast(paidWords[checkout.method]);
        await revalidate();
      } else if (status === "failed") toast(failedWords[checkout.method]);
      else setUnfinished(true);
    } catch {
      toast(unknownWords);
    }
    setProcessing(null);
  }

  function watch(opened: Window, checkout: CheckoutView) {
    const finish = () => {
      stopWatching.current();
      void settle(checkout);
    };
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== opened || typeof data !== "object" || data === null) return;
      const ours = data.type === "payment_success" ? data.preference_id === checkout.external_id : null;
      if (ours ?? data.type === "payment_error") finish();
    };
    const timer = setInterval(() => {
      if (opened.closed) finish();
    }, LOOK_MS);
    window.addEventListener("message", listen);
    stopWatching.current = () => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
      stopWatching.current = () => {};
    };
  }

  /** Call it from the press itself: a window opened later is blocked. */
  async function begin(plan_type: PlanType, method: PaymentMethod) {
    setUnfinished(false);
    const opened = window.open("about:blank", "pago", WINDOW);
    setBlocked(opened ? null : method);
    if (!opened) {
      toast({ title: "Error", description: blockedWords[method], tone: "error" });
      return;
    }
    setProcessing(method);
    try {
      const checkout = await post("/checkouts", { plan_type, method });
      opened.location.href = checkout.url;
      watch(opened, checkout);
    } catch (refused) {
      opened.close();
      setProcessing(null);
      toast(notBegunWords(method, refused as ErrorBody | null));
    }
  }

  return { processing, blocked, unfinished, begin };
}
