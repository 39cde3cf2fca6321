import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ExternalServiceError, orNull } from "./external-service-error.ts";
import { type Fetch, type JsonCall, openJsonCalls, readAnswer } from "./json-call.ts";
import { Decimal } from "./minor-units.ts";

const SERVICE = "MercadoPago";

const nothing = z.null().optional();
/** Ids are numbers in one answer and text in the next. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String);
/** "2026-11-21T05:36:00.000-04:00", and "" or null for never. */
const time = z
  .union([z.iso.datetime({ offset: true }), z.literal("")])
  .or(nothing)
  .transform((value) => (value ? new Date(value) : null));

const Preference = z
  .object({ id: z.string().min(1), init_point: z.string().min(1) })
  .transform(({ id, init_point }) => ({ id, initPoint: init_point }));

const Preapproval = z
  .object({
    id: z.string().min(1),
    status: z.string(),
    external_reference: id.or(z.literal("")).or(nothing),
    init_point: z.string().or(nothing),
    next_payment_date: time,
    date_created: time,
    last_modified: time,
    auto_recurring: z
      .object({ transaction_amount: Decimal.or(nothing), currency_id: z.string().or(nothing) })
      .or(nothing),
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
    status_detail: z.string().or(nothing),
    external_reference: id.or(z.literal("")).or(nothing),
    transaction_amount: Decimal,
    transaction_amount_refunded: Decimal.or(nothing),
    currency_id: z.string(),
    operation_type: z.string().or(nothing),
    date_created: time,
    date_approved: time,
    date_last_updated: time,
    metadata: z.record(z.string(), z.unknown()).or(nothing),
    order: z.object({ id: id.or(nothing) }).or(nothing),
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
      /** Seen in another form than the preapproval's own id: an invoice tells it for certain. */
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
    transaction_amount: Decimal.or(nothing),
    currency_id: z.string().or(nothing),
    debit_date: time,
    next_retry_date: time,
    retry_attempt: z.number().or(nothing),
    external_reference: id.or(z.literal("")).or(nothing),
    payment: z.object({ id: id.or(nothing), status: z.string().or(nothing) }).or(nothing),
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
    preference_id: z.string().or(nothing),
    external_reference: id.or(z.literal("")).or(nothing),
    status: z.string().or(nothing),
    order_status: z.string().or(nothing),
    payments: z.array(z.object({ id, status: z.string().or(nothing) })).or(nothing),
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
    coverage_applied: z.boolean().or(nothing),
  })
  .transform((row) => ({
    id: row.id,
    paymentIds: row.payments,
    /** Whether MercadoPago bears the loss; null while that is open. */
    coverageApplied: row.coverage_applied ?? null,
  }));
export type MercadopagoChargeback = z.output<typeof Chargeback>;

const found = <Schema extends z.ZodType>(schema: Schema) => z.object({ results: z.array(schema).default([]) });
const elements = <Schema extends z.ZodType>(schema: Schema) => z.object({ elements: z.array(schema).or(nothing) });

export type MercadopagoConfig = {
  apiBase: string;
  accessToken: string;
  /** Of the application's notifications; MercadoPago's panel shows it. */
  webhookSecret: string;
  fetch?: Fetch;
  timeoutMs?: number;
};

export type Mercadopago = ReturnType<typeof createMercadopago>;

/** Hundredths as the JSON number that MercadoPago takes; the division gives the number nearest to the decimal. */
const decimal = (amount: number) => amount / 100;

/** Moments in the form of MercadoPago's own samples. */
const moment = (date: Date) => date.toISOString().replace("Z", "+00:00");

/**
 * MercadoPago's REST interface, as far as single payments (preferences) and subscriptions (preapprovals) need it.
 * Amounts are whole hundredths of their currency. Every method throws ExternalServiceError.
 */
export function createMercadopago({ apiBase, accessToken, webhookSecret, fetch, timeoutMs }: MercadopagoConfig) {
  const call = openJsonCalls(
    SERVICE,
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
      SERVICE,
      schema,
      await call(method, path, { ...options, headers: { ...headers, authorization } }),
    );
  };
  const one = <Schema extends z.ZodType>(schema: Schema, path: string, id: string) =>
    orNull(ask(schema, "GET", `${path}/${encodeURIComponent(id)}`));

  return {
    /** A single payment that somebody can make at `initPoint` until it expires. */
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
      /** The same key gives the same preference. */
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
     * A monthly subscription that its payer has yet to authorize at `initPoint`. Not idempotent: a second call makes a
     * second one. `payerEmail` must be that of the payer's MercadoPago account.
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
      if (!initPoint)
        throw new ExternalServiceError("unavailable", SERVICE, "POST /preapproval gave no address to pay at");
      return { id, initPoint };
    },

    /** Null when there is none with this id. */
    preapproval: (id: string): Promise<MercadopagoPreapproval | null> => one(Preapproval, "/preapproval", id),

    /** Ends a subscription. What is over already, by whomever, is no error. */
    async cancelPreapproval(id: string): Promise<"cancelled" | "already_over"> {
      const path = `/preapproval/${encodeURIComponent(id)}`;
      try {
        await call("PUT", path, { headers: { authorization: `Bearer ${accessToken}` }, body: { status: "cancelled" } });
      } catch (error) {
        if (!(error instanceof ExternalServiceError && error.status === 400)) throw error;
        if ((await one(Preapproval, "/preapproval", id))?.status === "cancelled") return "already_over";
        throw error;
      }
      // Its answer to a change is not always the new state: what counts is what it says when asked.
      if ((await one(Preapproval, "/preapproval", id))?.status === "cancelled") return "cancelled";
      throw new ExternalServiceError("unavailable", SERVICE, `PUT ${path} changed nothing yet`);
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

    /** Charges of a subscription. Of the two paths that its documents name, whichever answers. */
    async invoicesOf(preapprovalId: string): Promise<MercadopagoInvoice[]> {
      const query = { preapproval_id: preapprovalId };
      const search = (path: string) => ask(found(Invoice), "GET", path, { query });
      const { results } = await search("/authorized_payments/search").catch((error: unknown) => {
        if (error instanceof ExternalServiceError && error.kind === "refused") return search("/authorized_payments");
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
     * Whether MercadoPago signed a notification about this id. The body is not signed: only the id may be believed, and
     * no more than that something about it should be read again; the age of a signature does not matter for that.
     * @param signature the header x-signature, "ts=...,v1=..."; `ts` is taken as it came, seconds or milliseconds
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
      const told = Buffer.from(v1, "hex");
      // Its documents want ids in lower case, its own library signs them as they are: both are its signature.
      return [...new Set([dataId, dataId?.toLowerCase() ?? null])].some((id) => {
        const manifest = `${id ? `id:${id};` : ""}${requestId ? `request-id:${requestId};` : ""}ts:${ts};`;
        return timingSafeEqual(createHmac("sha256", webhookSecret).update(manifest).digest(), told);
      });
    },
  };
}
