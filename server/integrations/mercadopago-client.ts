import { z } from "zod";
import { type JsonCall, openJsonCalls } from "./json-client.ts";
import {
  Chargeback,
  found,
  Invoice,
  type MercadopagoInvoice,
  type MercadopagoPayment,
  Payment,
  Preapproval,
  Preference,
} from "./mercadopago-schemas.ts";
import { nullOn404, ProviderError } from "./provider-error.ts";

const PROVIDER = "MercadoPago";

/** Largest page of a subscription's charges at MercadoPago; all searches use it. */
const PAGE_SIZE = 10;
/** More pages than any subscription has, so that a broken search cannot loop for ever. */
const MAX_PAGES = 30;

/** Sort order of a search: newest first. */
const NEWEST_FIRST = { sort: "date_created", criteria: "desc" };

/** A page of a search, and the total number of results if MercadoPago sends it. */
type Page<Item> = { results: { items: Item[]; unreadable: number }; paging: number | null };

type MercadopagoConfig = { apiBase: string; accessToken: string; timeoutMs?: number };

export type Mercadopago = ReturnType<typeof createMercadopago>;

/** A payment that a checkout asks for. MercadoPago stores the checkout's id as our reference. */
type Asked = { id: string; title: string; amount: number; currency: string; returnUrl: string };

/** Hundredths as the JSON number that MercadoPago expects. */
const decimal = (amount: number) => amount / 100;

/** A date in the format of MercadoPago's samples. */
const moment = (date: Date) => date.toISOString().replace("Z", "+00:00");

/**
 * A client of MercadoPago's REST API, as far as single payments (preferences) and subscriptions (preapprovals) need it.
 * Amounts are whole hundredths of their currency. Every method throws ProviderError.
 */
export function createMercadopago({ apiBase, accessToken, timeoutMs }: MercadopagoConfig) {
  const call = openJsonCalls(
    PROVIDER,
    apiBase,
    "x-request-id",
    (body) => {
      const { error, cause } = (body ?? {}) as { error?: string; cause?: { code?: string | number }[] };
      return (Array.isArray(cause) && cause[0]?.code) || error;
    },
    timeoutMs,
  );
  const ask = <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    { headers, ...options }: JsonCall = {},
  ) => call(schema, method, path, { ...options, headers: { ...headers, authorization: `Bearer ${accessToken}` } });
  /** A page of a search from an offset on. */
  const page = <Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query: Record<string, string>,
    offset: number,
  ): Promise<Page<z.output<Schema>>> =>
    ask(found(schema), "GET", path, { query: { ...query, limit: String(PAGE_SIZE), offset: String(offset) } });
  /** Returns a page of charges. Tries both documented paths and uses the working one. */
  const invoicePage = async (query: Record<string, string>, offset: number): Promise<Page<MercadopagoInvoice>> => {
    try {
      return await page(Invoice, "/authorized_payments/search", query, offset);
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === "refused")) throw error;
      return page(Invoice, "/authorized_payments", query, offset);
    }
  };
  const one = <Schema extends z.ZodType>(schema: Schema, path: string, id: string) =>
    nullOn404(ask(schema, "GET", `${path}/${encodeURIComponent(id)}`));

  return {
    /**
     * Creates a single payment, which is possible at `init_point` until it expires. The same id returns the same
     * preference.
     */
    createPreference({ id, title, amount, currency, returnUrl, expiresAt }: Asked & { expiresAt: Date }) {
      return ask(Preference, "POST", "/checkout/preferences", {
        headers: { "x-idempotency-key": id },
        body: {
          items: [{ id, title, quantity: 1, unit_price: decimal(amount), currency_id: currency }],
          external_reference: id,
          back_urls: { success: returnUrl, failure: returnUrl, pending: returnUrl },
          auto_return: "approved",
          expires: true,
          expiration_date_to: moment(expiresAt),
        },
      });
    },

    /**
     * Creates a monthly subscription that its payer still has to authorize at `init_point`. `payerEmail` must be the
     * email of the payer's MercadoPago account.
     *
     * Not idempotent: a second call creates a second subscription.
     */
    async createPreapproval({ id, title, amount, currency, returnUrl, payerEmail }: Asked & { payerEmail: string }) {
      const made = await ask(Preapproval, "POST", "/preapproval", {
        body: {
          reason: title,
          external_reference: id,
          payer_email: payerEmail,
          back_url: returnUrl,
          status: "pending",
          auto_recurring: {
            frequency: 1,
            frequency_type: "months",
            transaction_amount: decimal(amount),
            currency_id: currency,
          },
        },
      });
      const { init_point } = made;
      if (!init_point) throw new ProviderError("unavailable", PROVIDER, "POST /preapproval gave no URL to pay at");
      return { id: made.id, init_point };
    },

    /** @returns null if MercadoPago does not know the id */
    preapproval: (id: string) => one(Preapproval, "/preapproval", id),

    /** Cancels a subscription. Succeeds if it has already ended or MercadoPago no longer knows it. */
    async cancelPreapproval(id: string): Promise<void> {
      const path = `/preapproval/${encodeURIComponent(id)}`;
      const isOver = async () => ((await one(Preapproval, "/preapproval", id))?.status ?? "cancelled") === "cancelled";
      try {
        await ask(z.unknown(), "PUT", path, { body: { status: "cancelled" } });
      } catch (error) {
        if (!(error instanceof ProviderError && (error.status === 400 || error.status === 404))) throw error;
        if (await isOver()) return;
        throw error;
      }
      // Reads again, because the response to a change does not always show the new state.
      if (!(await isOver())) throw new ProviderError("unavailable", PROVIDER, `PUT ${path} changed nothing yet`);
    },

    /** @returns null if MercadoPago does not know the id */
    payment: (id: string) => one(Payment, "/v1/payments", id),

    /**
     * The payments of one of our references, the newest first. The search lags minutes behind.
     * @param since pages that are older as a whole are not read
     */
    async paymentsByReference(
      reference: string,
      since: Date | null = null,
    ): Promise<{ payments: MercadopagoPayment[]; unreadable: number }> {
      const query = { external_reference: reference, ...NEWEST_FIRST };
      const payments: MercadopagoPayment[] = [];
      let unreadable = 0;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const offset = payments.length + unreadable;
        const { results, paging } = await page(Payment, "/v1/payments/search", query, offset);
        payments.push(...results.items);
        unreadable += results.unreadable;
        const read = payments.length + unreadable;
        const oldest = results.items.at(-1)?.date_created;
        if (read === offset || read >= (paging ?? Number.POSITIVE_INFINITY)) break;
        if (since && oldest && oldest < since) break;
      }
      // In case a parameter of the search is ignored.
      return { payments: payments.filter((payment) => payment.external_reference === reference), unreadable };
    },

    /**
     * Reads one month's charge of a subscription. Only a search finds a refused first charge.
     * @returns null if MercadoPago does not know the id
     */
    async invoice(id: string): Promise<MercadopagoInvoice | null> {
      const invoice = await one(Invoice, "/authorized_payments", id);
      return invoice ?? (await invoicePage({ id }, 0)).results.items.find((each) => each.id === id) ?? null;
    },

    /**
     * The charges of a subscription at both ends of MercadoPago's list, whose order is not documented: the newest are
     * among them.
     */
    async newestInvoicesOf(preapprovalId: string): Promise<MercadopagoInvoice[]> {
      const query = { preapproval_id: preapprovalId };
      const { results, paging } = await invoicePage(query, 0);
      const first = results.items;
      const shown = first.length + results.unreadable;
      const hidden = (paging ?? 0) - shown;
      const last = hidden > 0 ? (await invoicePage(query, Math.max(shown, paging! - PAGE_SIZE))).results.items : [];
      return [...first, ...last].filter((invoice) => invoice.preapproval_id === preapprovalId);
    },

    /** @returns null if MercadoPago does not know the id */
    chargeback: (id: string) => one(Chargeback, "/v1/chargebacks", id),
  };
}
