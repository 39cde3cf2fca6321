import { LRUCache } from "lru-cache";
import { z } from "zod";
import { MINUTE } from "#shared/time.ts";
import { type JsonCall, openJsonCalls } from "./json-client.ts";
import {
  Created,
  Dispute,
  EventPage,
  type PaypalEvent,
  Sale,
  Subscription,
  Token,
  Transactions,
} from "./paypal-schemas.ts";
import { openSignatureCheck, type SignatureConfig } from "./paypal-signature.ts";
import { nullOn404, ProviderError } from "./provider-error.ts";

const PROVIDER = "PayPal";

/** Time between the replacement of a token and its end. */
const TOKEN_MARGIN_MS = MINUTE;
/** The largest page of PayPal's list of events. */
const EVENT_PAGE_SIZE = 300;
/** More pages than PayPal ever stores, so that a broken list cannot loop for ever. */
const MAX_EVENT_PAGES = 100;

type PaypalConfig = SignatureConfig & { clientId: string; clientSecret: string };

export type Paypal = ReturnType<typeof createPaypal>;

/**
 * A client of PayPal's REST API, as far as subscriptions need it. Amounts are whole hundredths of their currency. Every
 * method throws ProviderError.
 */
export function createPaypal(config: PaypalConfig) {
  const { clientId, clientSecret, timeoutMs } = config;
  const call = openJsonCalls(
    PROVIDER,
    config.apiBase,
    "paypal-debug-id",
    (body) => {
      const { name, error, details } = (body ?? {}) as {
        name?: string;
        error?: string;
        details?: { issue?: string }[];
      };
      return details?.[0]?.issue ?? name ?? error;
    },
    timeoutMs,
  );

  const tokens = new LRUCache<typeof PROVIDER, string>({
    max: 1,
    // Each response sets its own time to live, by the clock of the system, which is read each time.
    ttl: 1,
    ttlResolution: 0,
    perf: Date,
    async fetchMethod(_key, _stale, { options }) {
      const { access_token, expires_in } = await call(Token, "POST", "/v1/oauth2/token", {
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: "grant_type=client_credentials",
      });
      options.ttl = Math.max(1, Math.floor(expires_in * 1000) - TOKEN_MARGIN_MS);
      return access_token;
    },
  });

  /** Calls with the token; one that PayPal rejects is replaced once. */
  async function authorized<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    options: JsonCall = {},
  ): Promise<z.output<Schema>> {
    for (let first = true; ; first = false) {
      const token = await tokens.fetch(PROVIDER);
      const headers = { ...options.headers, authorization: `Bearer ${token}` };
      try {
        return await call(schema, method, path, { ...options, headers });
      } catch (error) {
        if (!first || !(error instanceof ProviderError && error.status === 401)) throw error;
        if (tokens.peek(PROVIDER) === token) tokens.delete(PROVIDER);
      }
    }
  }

  const subscriptionPath = (id: string) => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

  const subscription = (id: string) => nullOn404(authorized(Subscription, "GET", subscriptionPath(id)));

  return {
    /**
     * Creates a subscription that the buyer still has to approve.
     * @param given `id` is stored as our reference. It makes the call idempotent: the same id returns the same
     * subscription, for 72 hours. `returnUrl` and `cancelUrl` are for a buyer who approves at `approveUrl`
     */
    async createSubscription(given: {
      id: string;
      planId: string;
      brandName: string;
      returnUrl: string;
      cancelUrl: string;
    }): Promise<{ id: string; approveUrl: string | null }> {
      const { id, links } = await authorized(Created, "POST", "/v1/billing/subscriptions", {
        headers: {
          // PayPal refuses more than 38 characters.
          "paypal-request-id": given.id,
          prefer: "return=representation",
        },
        body: {
          plan_id: given.planId,
          custom_id: given.id,
          application_context: {
            brand_name: given.brandName,
            shipping_preference: "NO_SHIPPING",
            user_action: "SUBSCRIBE_NOW",
            return_url: given.returnUrl,
            cancel_url: given.cancelUrl,
          },
        },
      });
      return { id, approveUrl: links.find(({ rel }) => rel === "approve")?.href ?? null };
    },

    /** @returns null if PayPal does not know the id */
    subscription,

    /** Payments of a subscription in a span of time. */
    async transactions(id: string, from: Date, to: Date) {
      const query = { start_time: from.toISOString(), end_time: to.toISOString() };
      const path = `${subscriptionPath(id)}/transactions`;
      return (await authorized(Transactions, "GET", path, { query })).transactions;
    },

    /** Cancels a subscription for good. Succeeds if it has already ended or PayPal no longer knows it. */
    async cancel(id: string, reason: string): Promise<void> {
      try {
        await authorized(z.unknown(), "POST", `${subscriptionPath(id)}/cancel`, { body: { reason } });
      } catch (error) {
        if (!(error instanceof ProviderError && (error.status === 422 || error.status === 404))) throw error;
        const now = await subscription(id);
        if (!now || now.status === "CANCELLED" || now.status === "EXPIRED") return;
        throw error;
      }
    },

    /**
     * Reads one payment of a subscription.
     * @returns null if PayPal does not know the id
     */
    sale: (id: string) => nullOn404(authorized(Sale, "GET", `/v1/payments/sale/${encodeURIComponent(id)}`)),

    /** @returns null if PayPal does not know the id */
    dispute: (id: string) => nullOn404(authorized(Dispute, "GET", `/v1/customer/disputes/${encodeURIComponent(id)}`)),

    /** The events that PayPal sent, or tried to send, in a span of time. */
    async webhookEvents(from: Date, to: Date): Promise<PaypalEvent[]> {
      const found: PaypalEvent[] = [];
      let query: Record<string, string> | null = {
        page_size: String(EVENT_PAGE_SIZE),
        start_time: from.toISOString(),
        end_time: to.toISOString(),
      };
      for (let pages = 0; query && pages < MAX_EVENT_PAGES; pages++) {
        const page: z.output<typeof EventPage> = await authorized(
          EventPage,
          "GET",
          "/v1/notifications/webhooks-events",
          { query },
        );
        found.push(...page.events);
        // Use only the parameters of the link to the next page, so that the link cannot send us to another host.
        // PayPal's samples contain it with HTML entities.
        const { href = "" } = page.links.find(({ rel }) => rel === "next") ?? {};
        const next = page.events.length ? URL.parse(href.replaceAll("&amp;", "&")) : null;
        query = next && Object.fromEntries(next.searchParams);
      }
      return found;
    },

    verifyWebhook: openSignatureCheck(config),
  };
}
