import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type Fetch, type JsonCall, openJsonCalls, readAnswer } from "../integrations/json-client.ts";
import { orNull, ProviderError } from "../integrations/provider-error.ts";
import { Decimal } from "./minor-units.ts";

const PROVIDER = "MercadoPago";

const absent = z.null().optional();
/** Ids are numbers in some answers and strings in others. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String);
/** "2026-11-21T05:36:00.000-04:00", and "" or null for never. */
const time = z
  .union([z.iso.datetime({ offset: true }), z.literal("")])
  .or(absent)
  .transform((value) => (value ? new Date(value) : null));

const Preference = z
  .object({ id: z.string().min(1), init_point: z.string().min(1) })
  .transform(({ id, init_point }) => ({ id, initPoint: init_point }));

const Preapproval = z
  .object({
    id: z.string().min(1),
    status: z.string(),
    external_reference: id.or(z.literal("")).or(absent),
    init_point: z.string().or(absent),
    next_payment_date: time,
    date_created: time,
    last_modified: time,
    auto_recurring: z.object({ transaction_amount: Decimal.or(absent), currency_id: z.string().or(absent) }).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    /** pending, authorized, paused or cancelled; "canceled" in some of its pages, never here. */
    status: row.status === "canceled" ? "cancelled" : row.status,
    externalReference: row.external_reference || null,
    initPoint: row.init_point ?? null,
    nextPaymentDate: row.next_payment_date,
    dateCreated: row.date_created,
    lastModified: row.last_modified,
    amount: row.auto_recurring?.transaction_amount ?? null,
    currency: row.auto_recurring?.currency_id ?? null,
  }));
export type MercadopagoPreapproval = z.output<typeof Preapproval>;

const Payment = z
  .object({
    id,
    status: z.string(),
    status_detail: z.string().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    transaction_amount: Decimal,
    transaction_amount_refunded: Decimal.or(absent),
    currency_id: z.string(),
    operation_type: z.string().or(absent),
    date_created: time,
    date_approved: time,
    date_last_updated: time,
    metadata: z.record(z.string(), z.unknown()).or(absent),
    order: z.object({ id: id.or(absent) }).or(absent),
  })
  .transform((row) => {
    const preapprovalId = row.metadata?.preapproval_id;
    return {
      id: row.id,
      /** pending, approved, authorized, in_process, in_mediation, rejected, cancelled, refunded or charged_back. */
      status: row.status,
      statusDetail: row.status_detail ?? null,
      externalReference: row.external_reference || null,
      amount: row.transaction_amount,
      amountRefunded: row.transaction_amount_refunded ?? 0,
      currency: row.currency_id,
      /** regular_payment, recurring_payment, card_validation and others. */
      operationType: row.operation_type ?? null,
      dateCreated: row.date_created,
      dateApproved: row.date_approved,
      dateLastUpdated: row.date_last_updated,
      /** It may differ in form from the preapproval's id; only the invoice is reliable. */
      preapprovalId: typeof preapprovalId === "string" && preapprovalId ? preapprovalId : null,
      merchantOrderId: row.order?.id ?? null,
    };
  });
export type MercadopagoPayment = z.output<typeof Payment>;

const Invoice = z
  .object({
    id,
    preapproval_id: z.string(),
    status: z.string(),
    transaction_amount: Decimal.or(absent),
    currency_id: z.string().or(absent),
    debit_date: time,
    next_retry_date: time,
    retry_attempt: z.number().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    payment: z.object({ id: id.or(absent), status: z.string().or(absent) }).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    preapprovalId: row.preapproval_id,
    /** scheduled, processed, recycling (it will be tried again) or cancelled. */
    status: row.status,
    amount: row.transaction_amount ?? null,
    currency: row.currency_id ?? null,
    debitDate: row.debit_date,
    nextRetryDate: row.next_retry_date,
    retryAttempt: row.retry_attempt ?? 0,
    externalReference: row.external_reference || null,
    paymentId: row.payment?.id ?? null,
    paymentStatus: row.payment?.status ?? null,
  }));
export type MercadopagoInvoice = z.output<typeof Invoice>;

const MerchantOrder = z
  .object({
    id,
    preference_id: z.string().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    status: z.string().or(absent),
    order_status: z.string().or(absent),
    payments: z.array(z.object({ id, status: z.string().or(absent) })).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    preferenceId: row.preference_id ?? null,
    externalReference: row.external_reference || null,
    /** opened, closed or expired. */
    status: row.status ?? null,
    /** paid, partially_paid, refunded and others. */
    orderStatus: row.order_status ?? null,
    paymentIds: (row.payments ?? []).map((payment) => payment.id),
  }));
export type MercadopagoMerchantOrder = z.output<typeof MerchantOrder>;

const Chargeback = z
  .object({
    id,
    payments: z.array(z.union([id, z.object({ id }).transform((payment) => payment.id)])).default([]),
    coverage_applied: z.boolean().or(absent),
  })
  .transform((row) => ({
    id: row.id,
    paymentIds: row.payments,
    /** Whether MercadoPago bears the loss; null while that is open. */
    coverageApplied: row.coverage_applied ?? null,
  }));
export type MercadopagoChargeback = z.output<typeof Chargeback>;

const found = <Schema extends z.ZodType>(schema: Schema) => z.object({ results: z.array(schema).default([]) });
const elements = <Schema extends z.ZodType>(schema: Schema) => z.object({ elements: z.array(schema).or(absent) });

export type MercadopagoConfig = {
  apiBase: string;
  accessToken: string;
  /** The secret of the application's webhook, shown in MercadoPago's panel. */
  webhookSecret: string;
  fetch?: Fetch;
  timeoutMs?: number;
};

export type Mercadopago = ReturnType<typeof createMercadopago>;

/** Hundredths as the JSON number that MercadoPago expects. */
const decimal = (amount: number) => amount / 100;

/** A date in the format of MercadoPago's samples. */
const moment = (date: Date) => date.toISOString().replace("Z", "+00:00");

/**
 * A client of MercadoPago's REST API, as far as single payments (preferences) and subscriptions (preapprovals) need it.
 * Amounts are whole hundredths of their currency. Every method throws ProviderError.
 */
export function createMercadopago({ apiBase, accessToken, webhookSecret, fetch, timeoutMs }: MercadopagoConfig) {
  const call = openJsonCalls(
    PROVIDER,
    apiBase,
    "x-request-id",
    (body) => {
      const { error, cause } = (body ?? {}) as { error?: string; cause?: { code?: string | number }[] };
      return (Array.isArray(cause) && cause[0]?.code) || error;
    },
    fetch,
    timeoutMs,
  );
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    { headers, ...options }: JsonCall = {},
  ): Promise<z.output<Schema>> => {
    const authorization = `Bearer ${accessToken}`;
    return readAnswer(
      PROVIDER,
      schema,
      await call(method, path, { ...options, headers: { ...headers, authorization } }),
    );
  };
  const one = <Schema extends z.ZodType>(schema: Schema, path: string, id: string) =>
    orNull(ask(schema, "GET", `${path}/${encodeURIComponent(id)}`));

  return {
    /** Creates a single payment that can be made at `initPoint` until it expires. */
    createPreference(given: {
      title: string;
      amount: number;
      currency: string;
      externalReference: string;
      payerEmail?: string;
      backUrls: { success: string; failure: string; pending: string };
      /** Instead of the address in the application's panel. */
      notificationUrl?: string;
      expiresAt: Date;
      /** The same key returns the same preference. */
      idempotencyKey: string;
    }): Promise<{ id: string; initPoint: string }> {
      return ask(Preference, "POST", "/checkout/preferences", {
        headers: { "x-idempotency-key": given.idempotencyKey },
        body: {
          items: [
            {
              id: given.externalReference,
              title: given.title,
              quantity: 1,
              unit_price: decimal(given.amount),
              currency_id: given.currency,
            },
          ],
          ...(given.payerEmail && { payer: { email: given.payerEmail } }),
          external_reference: given.externalReference,
          back_urls: given.backUrls,
          auto_return: "approved",
          ...(given.notificationUrl && { notification_url: given.notificationUrl }),
          expires: true,
          expiration_date_to: moment(given.expiresAt),
        },
      });
    },

    /**
     * Creates a monthly subscription that its payer has yet to authorize at `initPoint`. Not idempotent: a second call
     * creates a second one. `payerEmail` must be that of the payer's MercadoPago account.
     */
    async createPreapproval(given: {
      reason: string;
      externalReference: string;
      payerEmail: string;
      backUrl: string;
      amount: number;
      currency: string;
    }): Promise<{ id: string; initPoint: string }> {
      const { id, initPoint } = await ask(Preapproval, "POST", "/preapproval", {
        body: {
          reason: given.reason,
          external_reference: given.externalReference,
          payer_email: given.payerEmail,
          back_url: given.backUrl,
          status: "pending",
          auto_recurring: {
            frequency: 1,
            frequency_type: "months",
            transaction_amount: decimal(given.amount),
            currency_id: given.currency,
          },
        },
      });
      if (!initPoint) throw new ProviderError("unavailable", PROVIDER, "POST /preapproval gave no address to pay at");
      return { id, initPoint };
    },

    /** Null when there is none with this id. */
    preapproval: (id: string): Promise<MercadopagoPreapproval | null> => one(Preapproval, "/preapproval", id),

    /** Cancels a subscription. One that is over already is no error. */
    async cancelPreapproval(id: string): Promise<"cancelled" | "already_over"> {
      const path = `/preapproval/${encodeURIComponent(id)}`;
      try {
        await call("PUT", path, { headers: { authorization: `Bearer ${accessToken}` }, body: { status: "cancelled" } });
      } catch (error) {
        if (!(error instanceof ProviderError && error.status === 400)) throw error;
        if ((await one(Preapproval, "/preapproval", id))?.status === "cancelled") return "already_over";
        throw error;
      }
      // The answer to a change does not always show the new state, so it is read again.
      if ((await one(Preapproval, "/preapproval", id))?.status === "cancelled") return "cancelled";
      throw new ProviderError("unavailable", PROVIDER, `PUT ${path} changed nothing yet`);
    },

    /** Null when there is none with this id. */
    payment: (id: string): Promise<MercadopagoPayment | null> => one(Payment, "/v1/payments", id),

    /** The newest first. */
    async paymentsByReference(externalReference: string): Promise<MercadopagoPayment[]> {
      const query = { external_reference: externalReference, sort: "date_created", criteria: "desc" };
      return (await ask(found(Payment), "GET", "/v1/payments/search", { query })).results;
    },

    /** One month's charge of a subscription; null when there is none with this id. */
    invoice: (id: string): Promise<MercadopagoInvoice | null> => one(Invoice, "/authorized_payments", id),

    /** The charges of a subscription, from the one of the two documented paths that answers. */
    async invoicesOf(preapprovalId: string): Promise<MercadopagoInvoice[]> {
      const query = { preapproval_id: preapprovalId };
      const search = (path: string) => ask(found(Invoice), "GET", path, { query });
      const { results } = await search("/authorized_payments/search").catch((error: unknown) => {
        if (error instanceof ProviderError && error.kind === "refused") return search("/authorized_payments");
        throw error;
      });
      return results;
    },

    /** Null when there is none with this id. */
    merchantOrder: (id: string): Promise<MercadopagoMerchantOrder | null> => one(MerchantOrder, "/merchant_orders", id),

    /** Orders of a preference, with the payments made for it. */
    async merchantOrdersOf(preferenceId: string): Promise<MercadopagoMerchantOrder[]> {
      const query = { preference_id: preferenceId };
      return (await ask(elements(MerchantOrder), "GET", "/merchant_orders/search", { query })).elements ?? [];
    },

    /** Null when there is none with this id. */
    chargeback: (id: string): Promise<MercadopagoChargeback | null> => one(Chargeback, "/v1/chargebacks", id),

    /**
     * Whether MercadoPago signed a webhook request about this id. The body is not signed: only the id can be trusted, and
     * it only causes another reading, for which the age of the signature does not matter.
     * @param signature the header x-signature, "ts=...,v1=..."; `ts` is used as received, seconds or milliseconds
     * @param requestId the header x-request-id
     * @param dataId the parameter "data.id" of the address
     */
    verifySignature({
      signature,
      requestId,
      dataId,
    }: {
      signature: string | null;
      requestId: string | null;
      dataId: string | null;
    }): boolean {
      const parts = new Map(
        (signature ?? "").split(",").map((part) => {
          const [name = "", value = ""] = part.split("=", 2);
          return [name.trim(), value.trim()] as const;
        }),
      );
      const ts = parts.get("ts") ?? "";
      const v1 = (parts.get("v1") ?? "").toLowerCase();
      if (!/^\d{1,16}$/.test(ts) || !/^[0-9a-f]{64}$/.test(v1)) return false;
      const signed = Buffer.from(v1, "hex");
      // The documentation signs ids in lower case, the vendor's library as they are: both are valid.
      return [...new Set([dataId, dataId?.toLowerCase() ?? null])].some((id) => {
        const manifest = `${id ? `id:${id};` : ""}${requestId ? `request-id:${requestId};` : ""}ts:${ts};`;
        return timingSafeEqual(createHmac("sha256", webhookSecret).update(manifest).digest(), signed);
      });
    },
  };
}
