import { expect, test } from "vitest";
import type { CheckoutView } from "#shared/memberships.ts";
import { checkoutReturnMessage } from "./checkout-return.ts";

test.each([
  ["monthly", "mercadopago", true],
  ["lifetime", "mercadopago", false],
  ["monthly", "paypal", false],
] as const)("names the paying account's email if %s at %s was not paid: %s", (plan_type, method, isNamed) => {
  const checkout = { status: "open", method, plan_type, payment_pending: false } as CheckoutView;
  const { title, description } = checkoutReturnMessage(checkout, "unpaid", false);
  expect(title).toBe("El pago no se ha completado");
  expect(description.includes("MercadoPago solo acepta el pago desde la cuenta con el correo que escribiste.")).toBe(
    isNamed,
  );
});
