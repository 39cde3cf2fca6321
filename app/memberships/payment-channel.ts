const CHANNEL = "payments";

/** How a payment ended, as the payment page reports it. Only a hint: the server is asked what is true. */
export type PaymentMessage = { checkout: string; outcome: "paid" | "closed" };

/** Tells every open tab of this site that a payment changed. */
export function broadcastPayment(message: PaymentMessage): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** Listens to messages about payments from other tabs of this site. Returns how to stop. */
export function onPaymentMessage(listener: (message: PaymentMessage) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (typeof data?.checkout === "string")
      listener({ checkout: data.checkout, outcome: data.outcome === "paid" ? "paid" : "closed" });
  };
  return () => channel.close();
}
