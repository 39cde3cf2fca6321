import { useEffect, useRef, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import type { PlansView } from "#shared/memberships.ts";

type PaypalSdk = {
  Buttons(options: {
    style: { label: "subscribe"; shape: "pill"; height: number };
    createSubscription(): Promise<string>;
    onApprove(): Promise<void>;
    onCancel(): void;
    onError(): void;
  }): { isEligible(): boolean; render(element: HTMLElement): Promise<void>; close(): Promise<void> };
};
declare global {
  interface Window {
    paypal?: PaypalSdk;
  }
}

export type PaypalScript = { src: string; nonce: string };

/** Returns the URL of PayPal's script for subscriptions in dollars (specification, section 7.6). */
export function paypalScriptUrl({ client_id, sdk_base }: NonNullable<PlansView["paypal"]>): string {
  const query = new URLSearchParams({
    "client-id": client_id,
    vault: "true",
    intent: "subscription",
    currency: "USD",
    components: "buttons",
    // Other funding sources open forms inside the page.
    "disable-funding": "credit,card",
    locale: "es_ES",
  });
  return `${sdk_base}/sdk/js?${query}`;
}

/** Timeout of PayPal's script, in milliseconds. After that the payment continues in this tab. */
const SCRIPT_TIMEOUT_MS = 15_000;

let loading: Promise<PaypalSdk> | null = null;
/** Loads PayPal's script once per document. @throws Error if it is blocked, invalid or too slow */
function loadPaypal({ src, nonce }: PaypalScript): Promise<PaypalSdk> {
  loading ??= new Promise<PaypalSdk>((done, fail) => {
    const script = document.createElement("script");
    const timer = setTimeout(() => fail(new Error("PayPal's script is too slow.")), SCRIPT_TIMEOUT_MS);
    script.onload = () => {
      clearTimeout(timer);
      if (window.paypal) done(window.paypal);
      else fail(new Error("PayPal's script defined nothing."));
    };
    script.onerror = () => fail(new Error("PayPal's script was blocked."));
    script.nonce = nonce;
    script.dataset.cspNonce = nonce;
    script.src = src;
    document.head.append(script);
  });
  return loading;
}

interface PaypalButtonProps {
  script: PaypalScript;
  create: () => Promise<string>;
  onEnd: (outcome: "paid" | "closed" | "error") => Promise<void>;
  onReady: (ready: boolean) => void;
}

/** PayPal's own button. Before it renders and if it fails, the card shows a form. */
export function PaypalButton({ script, create, onEnd, onReady }: PaypalButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const latest = useRef({ create, onEnd, onReady });
  latest.current = { create, onEnd, onReady };
  const { src, nonce } = script;
  useEffect(() => {
    let unmounted = false;
    let close = () => {};
    loadPaypal({ src, nonce })
      .then(async (sdk) => {
        if (unmounted || !place.current) return;
        const buttons = sdk.Buttons({
          style: { label: "subscribe", shape: "pill", height: 48 },
          createSubscription: () => latest.current.create(),
          onApprove: () => latest.current.onEnd("paid"),
          onCancel: () => void latest.current.onEnd("closed"),
          onError: () => void latest.current.onEnd("error"),
        });
        if (!buttons.isEligible()) return;
        close = () => void buttons.close().catch(() => {});
        await buttons.render(place.current);
        if (unmounted) return close();
        setReady(true);
        latest.current.onReady(true);
      })
      // Blocked or failed: the form stays.
      .catch(() => {
        loading = null;
        if (!unmounted) latest.current.onReady(false);
      });
    return () => {
      unmounted = true;
      close();
    };
  }, [src, nonce]);
  return <div ref={place} className={classNames(!ready && "is-loading")} />;
}
