import { expect, test } from "vitest";
import type { CheckoutView } from "#shared/memberships.ts";
import { checkoutErrorToast } from "./checkout-messages.ts";
import {
  checkoutReturnMessage,
  hasReportedPayment,
  isPaymentExpected,
  parseCheckoutReturn,
} from "./checkout-return.ts";

const open = { status: "open", method: "mercadopago", plan_type: "lifetime", payment_pending: false } as CheckoutView;

test.each([
  ["status=approved", "paid", true, true],
  ["status=authorized", "paid", true, true],
  ["status=pending", "begun", true, true],
  ["collection_status=in_process", "begun", true, true],
  ["status=null", "unpaid", false, false],
  ["status=rejected", "unpaid", false, false],
  ["", "silent", true, false],
] as const)(
  "reads the return %s as %s, which may be paid: %s, and reports a payment: %s",
  (query, read, expected, reported) => {
    const returned = parseCheckoutReturn(new URLSearchParams(query));
    expect(returned).toBe(read);
    expect(isPaymentExpected(open, returned)).toBe(expected);
    // "failed" may belong to an earlier card.
    expect(isPaymentExpected({ ...open, status: "failed" }, returned)).toBe(reported);
    expect(hasReportedPayment(open, returned)).toBe(reported);
    // PayPal redirects only approved buyers.
    expect(hasReportedPayment({ method: "paypal" }, returned)).toBe(reported || read === "silent");
  },
);

test.each([
  ["monthly", "mercadopago", true],
  ["lifetime", "mercadopago", false],
  ["monthly", "paypal", false],
] as const)("names the paying account's email if %s at %s was not paid: %s", (plan_type, method, isNamed) => {
  const { title, description } = checkoutReturnMessage({ ...open, method, plan_type }, "unpaid", false);
  expect(title).toBe("El pago no se ha completado");
  expect(description.includes("MercadoPago solo acepta el pago desde la cuenta con el correo que escribiste.")).toBe(
    isNamed,
  );
});

test("says after a refused payment that nothing was charged, and after several minutes that the check goes on", () => {
  const { description } = checkoutReturnMessage({ ...open, status: "failed" }, "unpaid", false);
  expect(description).toMatch(/^Hubo un problema al procesar tu pago\. Inténtalo nuevamente\. No se te cobró nada\./);
  expect(checkoutReturnMessage(open, "paid", true).description).toContain("seguimos comprobándolo");
});

test.each([
  [{ code: "sign_in_to_subscribe" }, "Debes iniciar sesión para suscribirte"],
  [{ code: "payment_confirming" }, "Estamos confirmando tu pago"],
  [{ code: "payment_provider_failed" }, "Error de PayPal"],
  [{ code: "unavailable" }, "Error de PayPal"],
  ["unsent", "Error de PayPal"],
  ["lost", "No hay respuesta"],
] as const)("explains why a checkout did not start: %j", (failure, words) => {
  const { title, description } = checkoutErrorToast("paypal", failure);
  expect(`${title} ${description}`).toContain(words);
});
