import { useEffect, useRef, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import type { PlansView } from "#shared/memberships.ts";

/** As much of PayPal's script as is used. */
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

/** Its address, and what lets it in. */
export type PaypalScript = { src: string; nonce: string };

/** The address of PayPal's script for subscriptions in dollars (specification, section 7.6). */
export function paypalScriptAddress({ client_id, sdk_base }: NonNullable<PlansView["paypal"]>): string {
  const query = new URLSearchParams({
    "client-id": client_id,
    vault: "true",
    intent: "subscription",
    currency: "USD",
    components: "buttons",
    // What stands beside PayPal's own button otherwise opens forms inside the page.
    "disable-funding": "credit,card",
    locale: "es_ES",
  });
  return `${sdk_base}/sdk/js?${query}`;
}

/** Long enough for a slow phone; whoever waits longer pays in this tab. */
const PATIENCE_MS = 15_000;

let loading: Promise<PaypalSdk> | null = null;
/** Loads PayPal's script once per document. Rejects when it is blocked, missing or too slow. */
function loadPaypal({ src, nonce }: PaypalScript): Promise<PaypalSdk> {
  loading ??= new Promise<PaypalSdk>((done, fail) => {
    const script = document.createElement("script");
    const give = setTimeout(() => fail(new Error("PayPal's script is too slow.")), PATIENCE_MS);
    script.onload = () => {
      clearTimeout(give);
      if (window.paypal) done(window.paypal);
      else fail(new Error("PayPal's script brought nothing."));
    };
    script.onerror = () => fail(new Error("PayPal's script was blocked."));
    script.nonce = nonce;
    script.dataset.cspNonce = nonce;
    script.src = src;
    document.head.append(script);
  });
  return loading;
}

export interface PaypalButtonProps {
  script: PaypalScript;
  /** Makes a subscription with our server and gives its id at PayPal. */
  create: () => Promise<string>;
  onEnd: (said: "paid" | "closed" | "error") => Promise<void>;
  /** Whether PayPal's own button stands there now. */
  onReady: (ready: boolean) => void;
}

/** PayPal's own button. Until it stands, and where it cannot, the card offers a form. */
export function PaypalButton({ script, create, onEnd, onReady }: PaypalButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const latest = useRef({ create, onEnd, onReady });
  latest.current = { create, onEnd, onReady };
  const { src, nonce } = script;
  useEffect(() => {
    let gone = false;
    let close = () => {};
    loadPaypal({ src, nonce })
      .then(async (sdk) => {
        if (gone || !place.current) return;
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
        if (gone) return close();
        setReady(true);
        latest.current.onReady(true);
      })
      // Blocked or broken: the form stays.
      .catch(() => {
        loading = null;
        if (!gone) latest.current.onReady(false);
      });
    return () => {
      gone = true;
      close();
    };
  }, [src, nonce]);
  return <div ref={place} className={classNames(!ready && "h-0 overflow-hidden")} />;
}
