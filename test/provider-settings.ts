/** Settings of PayPal that are complete; nothing at PayPal has them. */
export const PAYPAL = {
  PAYPAL_CLIENT_ID: "client",
  PAYPAL_CLIENT_SECRET: "secret",
  PAYPAL_WEBHOOK_ID: "WH-1",
  PAYPAL_PLAN_MONTHLY: "P-MONTHLY",
  PAYPAL_PLAN_LIFETIME: "P-LIFETIME",
};
