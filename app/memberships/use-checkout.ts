import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView, MembershipView } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import { onPaymentMessage } from "./payment-channel.ts";
import {
  blockedWords,
  failedWords,
  notBegunWords,
  openingWords,
  paidWords,
  paypalErrorWords,
  unknownWords,
} from "./words.ts";

// Specification, section 9.
const WINDOW = "popup,width=600,height=700";
const LOOK_MS = 1000;
/** How often, and how many times, the server is asked about a payment that is not confirmed yet: two minutes. The sweep follows. */
const ASK_MS = 4000;
const ASK_TIMES = 30;
/** Which payment is being confirmed, so that reloading the page does not offer to pay it again. */
const KEPT = "confirming";

/** How a payment stands that is neither made nor refused. */
export type Waiting = {
  checkout: CheckoutView;
  /** Said to be paid; the window was closed before the end; we cannot be asked now; paid, but not what was offered. */
  kind: "confirming" | "unfinished" | "unreachable" | "review";
  asked: number;
};

/** Nobody is asking any more: the sweep will. */
export const hasStoppedPolling = ({ asked }: Waiting): boolean => asked >= ASK_TIMES;

/** Asks our own API. Rejects with the refusal, or with null when there is no answer. */
async function ask(method: "GET" | "POST", path: string, body?: object): Promise<CheckoutView> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) ?? null;
  if (!response?.ok) throw answer as ErrorBody | null;
  return answer as CheckoutView;
}

export type Checkout = ReturnType<typeof useCheckout>;

/**
 * Pays in a window of the payment service. What that window says is a hint: each time the server is asked, and only its
 * answer counts. It belongs to the page and not to what the page offers: that goes as soon as the membership is there.
 * @param membership the one in force, as the page last read it
 */
export function useCheckout(membership: MembershipView | null) {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  /** On while the payment window is open. */
  const [processing, setProcessing] = useState<PaymentMethod | null>(null);
  const [blocked, setBlocked] = useState<PaymentMethod | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const current = useRef<CheckoutView | null>(null);
  const stopWatching = useRef(() => {});

  // The page may read of the membership before the payment is read as made: then nothing is waited for any more.
  useEffect(() => {
    if (!waiting || !membership || waiting.kind === "review") return;
    if (membership.plan_type !== "lifetime" && waiting.checkout.plan_type === "lifetime") return;
    // Else whoever asked at that moment has said so already.
    const followed = current.current?.id === waiting.checkout.id;
    current.current = null;
    sessionStorage.removeItem(KEPT);
    setWaiting(null);
    if (followed && waiting.kind !== "unfinished") toast(paidWords[waiting.checkout.method]);
  }, [membership, waiting, toast]);

  function begun(checkout: CheckoutView) {
    current.current = checkout;
    setProcessing(checkout.method);
  }

  /** Asks how a payment stands. `said` is what the person or a window told us of it. */
  const settle = useCallback(
    async (checkout: CheckoutView, said: "paid" | "closed" | "error", asked = 0) => {
      let status: CheckoutView["status"] | "unreachable";
      try {
        status = (await ask("POST", `/checkouts/${checkout.id}/reconciliation`, {})).status;
      } catch {
        status = "unreachable";
      }
      // Somebody else may have settled or begun another meanwhile.
      if (current.current?.id !== checkout.id) return;
      setProcessing(null);
      if (status === "open" || status === "unreachable") {
        const paid = said === "paid" || status === "unreachable";
        if (paid) sessionStorage.setItem(KEPT, checkout.id);
        if (status === "unreachable" && asked === 0) toast(unknownWords);
        if (said === "error" && status === "open" && checkout.method === "paypal") toast(paypalErrorWords);
        setWaiting({
          checkout,
          kind: status === "unreachable" ? "unreachable" : paid ? "confirming" : "unfinished",
          asked,
        });
        return;
      }
      current.current = null;
      sessionStorage.removeItem(KEPT);
      if (status === "paid") {
        setWaiting(null);
        toast(paidWords[checkout.method]);
        await revalidate();
      } else if (status === "failed") {
        setWaiting(null);
        toast(failedWords[checkout.method]);
      } else setWaiting({ checkout, kind: status === "mismatch" ? "review" : "unfinished", asked });
    },
    [revalidate, toast],
  );

  // A payment that was being confirmed when the page was loaded anew is still.
  useEffect(() => {
    const id = sessionStorage.getItem(KEPT);
    if (!id) return;
    ask("GET", `/checkouts/${id}`).then(
      (checkout) => {
        if (checkout.status !== "open") return sessionStorage.removeItem(KEPT);
        current.current ??= checkout;
        setWaiting({ checkout, kind: "confirming", asked: 0 });
      },
      () => sessionStorage.removeItem(KEPT),
    );
  }, []);

  // Asked again and again while it may still be confirmed; what was left unfinished is only looked up with us.
  useEffect(() => {
    if (!waiting || hasStoppedPolling(waiting) || current.current?.id !== waiting.checkout.id) return;
    const { checkout, kind, asked } = waiting;
    const timer = setTimeout(async () => {
      if (kind !== "unfinished") return void settle(checkout, "paid", asked + 1);
      const status = await ask("GET", `/checkouts/${checkout.id}`).then(
        (now) => now.status,
        () => "open" as const,
      );
      if (status === "paid") void settle(checkout, "closed", asked + 1);
      else setWaiting((now) => (now === waiting ? { ...now, asked: asked + 1 } : now));
    }, ASK_MS);
    return () => clearTimeout(timer);
  }, [waiting, settle]);

  // The page where a payment ends may have lost the window that opened it: then it speaks to every tab of ours.
  useEffect(
    () =>
      onPaymentMessage(({ checkout: id, said }) => {
        const checkout = current.current;
        if (checkout?.id !== id) return;
        stopWatching.current();
        void settle(checkout, said);
      }),
    [settle],
  );
  useEffect(() => () => stopWatching.current(), []);

  function watch(opened: Window, checkout: CheckoutView) {
    const finish = (said: "paid" | "closed" | "error") => {
      stopWatching.current();
      void settle(checkout, said);
    };
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== opened || typeof data !== "object" || data === null) return;
      if (data.type === "payment_success" && data.preference_id === checkout.external_id) finish("paid");
      if (data.type === "payment_error") finish("error");
    };
    const timer = setInterval(() => {
      if (opened.closed) finish("closed");
    }, LOOK_MS);
    window.addEventListener("message", listen);
    stopWatching.current = () => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
      stopWatching.current = () => {};
    };
  }

  /** Call it from the press itself: a window opened later is blocked. */
  async function begin(plan_type: PlanType, method: PaymentMethod, payer_email?: string) {
    setWaiting(null);
    const opened = window.open("about:blank", "pago", WINDOW);
    setBlocked(opened ? null : method);
    if (!opened) {
      toast({ title: "Error", description: blockedWords[method], tone: "error" });
      return;
    }
    opened.document.title = openingWords[method];
    opened.document.body.textContent = openingWords[method];
    setProcessing(method);
    try {
      const checkout = await ask("POST", "/checkouts", { plan_type, method, ...(payer_email && { payer_email }) });
      begun(checkout);
      opened.location.href = checkout.url;
      watch(opened, checkout);
    } catch (refused) {
      opened.close();
      setProcessing(null);
      toast(notBegunWords(method, refused as ErrorBody | null));
    }
  }

  /** What PayPal's button asks for and tells. */
  const refusal = useRef<{ body: ErrorBody | null } | null>(null);
  const paypal = {
    async create(plan_type: PlanType): Promise<string> {
      setWaiting(null);
      refusal.current = null;
      current.current = null;
      try {
        const checkout = await ask("POST", "/checkouts", { plan_type, method: "paypal" });
        if (checkout.external_id) {
          begun(checkout);
          return checkout.external_id;
        }
      } catch (refused) {
        refusal.current = { body: refused as ErrorBody | null };
      }
      throw new Error("There is nothing to approve.");
    },
    async end(said: "paid" | "closed" | "error") {
      const checkout = current.current;
      if (checkout) return settle(checkout, said);
      setProcessing(null);
      if (said !== "error") return;
      toast(refusal.current ? notBegunWords("paypal", refusal.current.body) : paypalErrorWords);
    },
  };

  /** Waits no longer for what is being confirmed: the user wants to pay another way. */
  function stopWaiting() {
    current.current = null;
    sessionStorage.removeItem(KEPT);
    setWaiting(null);
  }

  /** Asks once more, because somebody wants to know now. */
  const askNow = () => {
    if (waiting) void settle(waiting.checkout, "paid", 0);
  };

  return { processing, blocked, waiting, begin, paypal, askNow, stopWaiting };
}
