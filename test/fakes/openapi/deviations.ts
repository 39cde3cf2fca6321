/** Known differences between the fakes and the vendors' API descriptions, and calls without a description. */

/** A place in the description at which a call or a response may differ, named as in a violation. */
export type Deviation = {
  rule: string;
  described: string;
  reported: string;
  source: string;
  /** JSON Schema of the allowed values at this place. `$ref` names a schema of the same description. */
  allowed: object;
};

/** Calls without a description, each with the reason. If `answer` exists, responses must match it. */
export type Undescribed = { call: RegExp; reason: string; answer?: object };

const CAPTURED = "responses captured in production in Argentina, published by integrators (2024-08, 2026-05)";
const SDK = "types and requests of the official SDK, mercadopago/sdk-nodejs";
const CHARGEBACKS = "sample of a chargeback in mercadopago.com.ar/developers, docs/checkout-pro/chargebacks/manage";

export const DEVIATIONS: Record<"paypal" | "mercadopago", Deviation[]> = {
  paypal: [
    {
      rule: "sale/required/parent_payment",
      described: "every sale has a parent payment",
      reported: "the sale of a subscription does not have one",
      source:
        "PAYMENT.SALE.COMPLETED of the sandbox, captured 2023-09 in public code; it contains only the agreement's id",
      allowed: {
        type: "object",
        properties: { billing_agreement_id: { type: "string" } },
        required: ["billing_agreement_id"],
      },
    },
    {
      rule: "webhooks-events.list/query/move_to",
      described: "no such parameter",
      reported: "the link to the next page has it",
      source:
        "sample of the list in developer.paypal.com/docs/api/webhooks/v1, and WebhookEventListTest of PayPal-NET-SDK",
      allowed: { type: "string", enum: ["next"] },
    },
    {
      rule: "webhooks-events.list/query/index_time",
      described: "no such parameter",
      reported: "the link to the next page has it",
      source: "as move_to",
      allowed: { type: "string", format: "date-time" },
    },
    {
      rule: "webhooks-events.list/query/index_id",
      described: "no such parameter",
      reported: "the link to the next page has it",
      source: "as move_to",
      allowed: { type: "string", pattern: "^\\d+$" },
    },
  ],
  mercadopago: [
    {
      rule: "createPreference/header/x-idempotency-key",
      described: "no such header, other than for payments and refunds",
      reported: "the vendor's SDK sends it with every request except GET",
      source: SDK,
      allowed: { type: "string", format: "uuid" },
    },
    {
      rule: "updateSubscription/status/404",
      described: "changing a subscription never responds 404",
      reported: "404 for one that does not exist, as for reading it",
      source: "reports of integrators in Argentina, 2026-09",
      allowed: { $ref: "#/components/schemas/Error" },
    },
    {
      rule: "getAuthorizedPayment/status/404",
      described: "reading an invoice never responds 404",
      reported: "404 for one that does not exist, or whose sign-up was rejected",
      source: "reports of integrators in Argentina, 2026-09",
      allowed: { $ref: "#/components/schemas/Error" },
    },
    {
      rule: "Payment/external_reference/type",
      described: "a text",
      reported: "null if there is no reference",
      source: CAPTURED,
      allowed: { type: "null" },
    },
    {
      rule: "Payment/operation_type/enum",
      described: "no such value",
      reported: "card_validation, of the payment that tries the card of a subscription",
      source: CAPTURED,
      allowed: { type: "string", enum: ["card_validation"] },
    },
    {
      rule: "Payment/status_detail/enum",
      described: "no such value, though orders have it",
      reported: "reimbursed, after the seller has won a chargeback",
      source: "mercadopago.com.ar/developers, docs on the results of chargebacks; a response captured in public code",
      allowed: { type: "string", enum: ["reimbursed"] },
    },
    {
      rule: "Payment/additionalProperties/refunds",
      described: "no such field",
      reported: "a list, empty without refunds",
      source: `${CAPTURED}; the elements: ${SDK}`,
      allowed: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "number" }, amount: { type: "number" } },
          additionalProperties: false,
        },
      },
    },
    {
      rule: "Chargeback/id/type",
      described: "a text",
      reported: "a number of 17 digits",
      source: "reports of integrators in Argentina, 2026-09; the vendor's sample has a text of 18",
      allowed: { type: "integer" },
    },
    {
      rule: "Chargeback/payments/items/type",
      described: "objects without named fields",
      reported: "the ids of the payments",
      source: CHARGEBACKS,
      allowed: { type: "integer" },
    },
  ],
};

export const UNDESCRIBED: Record<"paypal" | "mercadopago", Undescribed[]> = {
  paypal: [
    { call: /^POST \/v1\/oauth2\/token$/, reason: "the descriptions contain only the URL of OAuth" },
    { call: /^GET \/v1\/notifications\/certs\/\w+$/, reason: "certificates are files, named in each event" },
    {
      call: /^(GET|POST) \/(sdk\/[\w.]+|checkoutnow|panel\/.+|favicon\.ico|)$/,
      reason: "pages and the button's script, for browsers",
    },
  ],
  mercadopago: [
    {
      call: /^GET \/authorized_payments(\/search)?$/,
      reason: "only the SDK has the list of invoices; the shape of its response is described without a path",
      answer: { $ref: "#/components/schemas/AuthorizedPaymentSearchResult" },
    },
    { call: /^(GET|POST) \/(mp\/.+|panel\/.+|favicon\.ico|)$/, reason: "pages, for browsers" },
  ],
};
