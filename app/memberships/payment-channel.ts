const CHANNEL = "payments";

/** Outcome that the payment page reports. The server knows the real one. */
type PaymentMessage = { checkout: string; outcome: "paid" | "closed" };

/** Notifies all open tabs of this site of a payment. */
export function broadcastPayment(message: PaymentMessage): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** Listens to payment messages of other tabs. Returns a function that stops it. */
export function onPaymentMessage(listener: (message: PaymentMessage) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (typeof data?.checkout === "string")
      listener({ checkout: data.checkout, outcome: data.outcome === "paid" ? "paid" : "closed" });
  };
  return () => channel.close();
}
