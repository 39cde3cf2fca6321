const CHANNEL = "payments";

/** Where a payment ended, as the page says that it led to: a hint, after which the server is asked. */
export type PaymentMessage = { checkout: string; said: "paid" | "closed" };

/** Tells every open tab of ours that something happened to a payment. */
export function broadcastPayment(news: PaymentMessage): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Hears of payments from other tabs of ours. Returns how to stop. */
export function onPaymentMessage(hear: (news: PaymentMessage) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (typeof data?.checkout === "string")
      hear({ checkout: data.checkout, said: data.said === "paid" ? "paid" : "closed" });
  };
  return () => channel.close();
}
