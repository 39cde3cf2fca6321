import { createVerify, X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { type Fetch, type JsonCall, openJsonCalls, readAnswer } from "../integrations/json-client.ts";
import { orNull, ProviderError } from "../integrations/provider-error.ts";
import { Decimal } from "./minor-units.ts";

const PROVIDER = "PayPal";

/** The hosts where PayPal publishes the certificates of its webhooks. */
const CERTIFICATE_ORIGINS = [
  "api.paypal.com",
  "api-m.paypal.com",
  "api.sandbox.paypal.com",
  "api-m.sandbox.paypal.com",
].map((host) => `https://${host}`);
const CERTIFICATE_PATH = "/v1/notifications/certs/";
/** The subject of such a certificate, live and in the sandbox. */
const CERTIFICATE_NAME = /^CN=messageverificationcerts(\.[\w-]+)*\.paypal\.com$/m;
/** A certificate chain is a few KB; PayPal uses a handful of certificates at a time. */
const CERTIFICATE_BYTES = 64 * 1024;
const CERTIFICATES_KEPT = 20;

/** A token is replaced this long before it expires. */
const TOKEN_MARGIN_MS = 60_000;
/** The largest page of PayPal's list of events. */
const EVENT_PAGE_SIZE = 300;
/** More pages than PayPal ever keeps: a broken list cannot keep us reading for ever. */
const MAX_EVENT_PAGES = 100;

const absent = z.null().optional();
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const money = z
  .object({ currency_code: z.string(), value: Decimal })
  .transform(({ currency_code, value }) => ({ amount: value, currency: currency_code }));
/** Older objects of PayPal name the same fields differently. */
const olderMoney = z
  .object({ currency: z.string(), total: Decimal })
  .transform(({ currency, total }) => ({ amount: total, currency }));

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

const Created = z.object({
  id: z.string().min(1),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

const Subscription = z
  .object({
    id: z.string(),
    status: z.string(),
    status_update_time: time.or(absent),
    create_time: time.or(absent),
    plan_id: z.string().or(absent),
    custom_id: z.string().or(absent),
    plan_overridden: z.boolean().or(absent),
    quantity: z.string().or(absent),
    billing_info: z
      .object({
        last_payment: z.object({ amount: money, time: time.or(absent) }).or(absent),
        next_billing_time: time.or(absent),
        failed_payments_count: z.number().or(absent),
      })
      .or(absent),
  })
  .transform(({ billing_info: billing, ...row }) => ({
    id: row.id,
    /** APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED or EXPIRED. */
    status: row.status,
    statusUpdateTime: row.status_update_time ?? null,
    createTime: row.create_time ?? null,
    planId: row.plan_id ?? null,
    /** Our reference, set when it was created. */
    customId: row.custom_id ?? null,
    /** The plan's terms were changed for this subscription. */
    planOverridden: row.plan_overridden ?? false,
    quantity: row.quantity ?? "1",
    /** Amounts in hundredths. */
    lastPayment: billing?.last_payment
      ? { ...billing.last_payment.amount, time: billing.last_payment.time ?? null }
      : null,
    /** Absent once it is over; just after activation it may lie in the past. */
    nextBillingTime: billing?.next_billing_time ?? null,
    failedPaymentsCount: billing?.failed_payments_count ?? 0,
  }));
export type PaypalSubscription = z.output<typeof Subscription>;

const Transactions = z.object({
  transactions: z
    .array(
      z
        .object({
          id: z.string(),
          status: z.string(),
          time,
          amount_with_breakdown: z.object({ gross_amount: money }),
        })
        .transform(({ id, status, time, amount_with_breakdown: { gross_amount } }) => ({
          id,
          /** COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING or REFUNDED. */
          status,
          time,
          ...gross_amount,
        })),
    )
    .default([]),
});
export type PaypalTransaction = z.output<typeof Transactions>["transactions"][number];

const Sale = z
  .object({
    id: z.string(),
    state: z.string(),
    amount: olderMoney,
    billing_agreement_id: z.string().or(absent),
    create_time: time.or(absent),
    update_time: time.or(absent),
  })
  .transform((row) => ({
    id: row.id,
    /** completed, partially_refunded, pending, refunded or denied. */
    state: row.state,
    subscriptionId: row.billing_agreement_id ?? null,
    createTime: row.create_time ?? null,
    updateTime: row.update_time ?? null,
    ...row.amount,
  }));
export type PaypalSale = z.output<typeof Sale>;

const Dispute = z
  .object({
    dispute_id: z.string(),
    status: z.string(),
    update_time: time.or(absent),
    dispute_outcome: z.object({ outcome_code: z.string().or(absent) }).or(absent),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().or(absent) })).default([]),
  })
  .transform((row) => ({
    id: row.dispute_id,
    /** RESOLVED when it is over. */
    status: row.status,
    /** Such as RESOLVED_BUYER_FAVOUR or RESOLVED_SELLER_FAVOUR; null while it is open. */
    outcome: row.dispute_outcome?.outcome_code ?? null,
    updateTime: row.update_time ?? null,
    saleIds: row.disputed_transactions.flatMap(({ seller_transaction_id: id }) => (id ? [id] : [])),
  }));
export type PaypalDispute = z.output<typeof Dispute>;

const Event = z
  .object({
    id: z.string().min(1),
    event_type: z.string(),
    create_time: time.or(absent),
    resource: z.record(z.string(), z.unknown()).default({}),
  })
  .transform((row) => ({
    id: row.id,
    type: row.event_type,
    createTime: row.create_time ?? null,
    /** As PayPal sent it; it only hints at what to read again. */
    resource: row.resource,
  }));
export type PaypalEvent = z.output<typeof Event>;

const EventPage = z.object({
  events: z.array(Event).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

type PaypalEventPage = z.output<typeof EventPage>;

/**
 * The event in the body of a webhook request, or null when it cannot be parsed. Verify its signature before using it.
 */
export function readPaypalEvent(rawBody: Uint8Array): PaypalEvent | null {
  try {
    return Event.safeParse(JSON.parse(Buffer.from(rawBody).toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

export type PaypalConfig = {
  apiBase: string;
  clientId: string;
  clientSecret: string;
  /** The id of our webhook at PayPal; its signatures are valid only for that one. */
  webhookId: string;
  /** The hosts from which certificates are accepted; PayPal's own unless a local stand-in is used. */
  certificateOrigins?: readonly string[];
  /** Root certificates (PEM) in which a chain must end; by default those that Node trusts. */
  trustedRoots?: readonly string[];
  fetch?: Fetch;
  timeoutMs?: number;
};

export type Paypal = ReturnType<typeof createPaypal>;

/**
 * A client of PayPal's REST API, as far as subscriptions need it. Amounts are whole hundredths of their currency. Every
 * method throws ProviderError.
 */
export function createPaypal(config: PaypalConfig) {
  const { clientId, clientSecret, webhookId, fetch = globalThis.fetch, timeoutMs = 10_000 } = config;
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
    fetch,
    timeoutMs,
  );

  let token: { value: Promise<string>; until: number } | null = null;
  function requestToken(): Promise<string> {
    const asked = Date.now();
    const requested: NonNullable<typeof token> = { value: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
    requested.value = (async () => {
      try {
        const answer = await call("POST", "/v1/oauth2/token", {
          headers: {
            authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
            "content-type": "application/x-www-form-urlencoded",
          },
          body: "grant_type=client_credentials",
        });
        const { access_token, expires_in } = readAnswer(PROVIDER, Token, answer);
        requested.until = asked + expires_in * 1000 - TOKEN_MARGIN_MS;
        return access_token;
      } catch (error) {
        if (token === requested) token = null;
        throw error;
      }
    })();
    token = requested;
    return requested.value;
  }

  /** Calls with the token; one that PayPal rejects is replaced once. */
  async function authorized(method: string, path: string, options: JsonCall = {}): Promise<unknown> {
    for (let first = true; ; first = false) {
      const used = token && token.until > Date.now() ? token.value : requestToken();
      const headers = { ...options.headers, authorization: `Bearer ${await used}` };
      try {
        return await call(method, path, { ...options, headers });
      } catch (error) {
        if (!first || !(error instanceof ProviderError && error.status === 401)) throw error;
        if (token?.value === used) token = null;
      }
    }
  }

  const read = <Schema extends z.ZodType>(schema: Schema, answer: Promise<unknown>) =>
    answer.then((body) => readAnswer(PROVIDER, schema, body));
  const subscriptionPath = (id: string) => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

  const subscription = (id: string): Promise<PaypalSubscription | null> =>
    orNull(read(Subscription, authorized("GET", subscriptionPath(id))));

  const cachedChains = new Map<string, Promise<X509Certificate[]>>();
  /** The certificate chain at an address. @throws Error for what is no chain of certificates */
  async function certificates(url: string): Promise<X509Certificate[]> {
    const cached = cachedChains.get(url);
    if (cached) return cached;
    const download = downloadChain(url, fetch, timeoutMs);
    cachedChains.set(url, download);
    if (cachedChains.size > CERTIFICATES_KEPT) cachedChains.delete(cachedChains.keys().next().value!);
    download.catch(() => cachedChains.delete(url));
    return download;
  }

  return {
    /**
     * Creates a subscription that the buyer has yet to approve.
     * @param requestId makes the call idempotent: the same id returns the same subscription, for 72 hours
     * @param context needed where the buyer approves on a separate page (`approveUrl`) and comes back to us
     */
    async createSubscription({
      planId,
      customId,
      requestId,
      context,
    }: {
      planId: string;
      customId: string;
      requestId: string;
      context?: { brandName: string; returnUrl: string; cancelUrl: string };
    }): Promise<{ id: string; status: string; approveUrl: string | null }> {
      const answer = authorized("POST", "/v1/billing/subscriptions", {
        headers: { "paypal-request-id": requestId, prefer: "return=representation" },
        body: {
          plan_id: planId,
          custom_id: customId,
          ...(context && {
            application_context: {
              brand_name: context.brandName,
              shipping_preference: "NO_SHIPPING",
              user_action: "SUBSCRIBE_NOW",
              return_url: context.returnUrl,
              cancel_url: context.cancelUrl,
            },
          }),
        },
      });
      const { id, status, links } = await read(Created, answer);
      return { id, status, approveUrl: links.find(({ rel }) => rel === "approve")?.href ?? null };
    },

    /** Null when there is none with this id. */
    subscription,

    /** Payments of a subscription in a span of time. */
    async transactions(id: string, from: Date, to: Date): Promise<PaypalTransaction[]> {
      const query = { start_time: from.toISOString(), end_time: to.toISOString() };
      const path = `${subscriptionPath(id)}/transactions`;
      return (await read(Transactions, authorized("GET", path, { query }))).transactions;
    },

    /** Cancels a subscription for good. One that is over already is no error. */
    async cancel(id: string, reason: string): Promise<"cancelled" | "already_over"> {
      try {
        await authorized("POST", `${subscriptionPath(id)}/cancel`, { body: { reason: reason.slice(0, 127) } });
        return "cancelled";
      } catch (error) {
        if (!(error instanceof ProviderError && error.status === 422)) throw error;
        const now = await subscription(id);
        if (now?.status === "CANCELLED" || now?.status === "EXPIRED") return "already_over";
        throw error;
      }
    },

    /** One payment of a subscription; null when there is none with this id. */
    sale: (id: string): Promise<PaypalSale | null> =>
      orNull(read(Sale, authorized("GET", `/v1/payments/sale/${encodeURIComponent(id)}`))),

    /** Null when there is none with this id. */
    dispute: (id: string): Promise<PaypalDispute | null> =>
      orNull(read(Dispute, authorized("GET", `/v1/customer/disputes/${encodeURIComponent(id)}`))),

    /** The events that PayPal sent, or tried to send, in a span of time. */
    async webhookEvents(from: Date, to: Date): Promise<PaypalEvent[]> {
      const found: PaypalEvent[] = [];
      let query: Record<string, string> | null = {
        page_size: String(EVENT_PAGE_SIZE),
        start_time: from.toISOString(),
        end_time: to.toISOString(),
      };
      for (let pages = 0; query && pages < MAX_EVENT_PAGES; pages++) {
        const page: PaypalEventPage = await read(
          EventPage,
          authorized("GET", "/v1/notifications/webhooks-events", { query }),
        );
        found.push(...page.events);
        // Only the parameters of the link to the next page are used, so that it cannot lead to another host.
        const next = page.events.length ? URL.parse(page.links.find(({ rel }) => rel === "next")?.href ?? "") : null;
        query = next && Object.fromEntries(next.searchParams);
      }
      return found;
    },

    /**
     * Whether PayPal signed these bytes for our webhook: RSA over the transmission, our webhook's id and the body's
     * checksum, with a certificate that PayPal publishes.
     * @throws ProviderError unavailable when the certificate cannot be read now: PayPal must send the event again
     */
    async verifyWebhook(headers: Headers, rawBody: Uint8Array): Promise<boolean> {
      const [id, sentAt, signature, certificateUrl, algorithm] = ["id", "time", "sig"]
        .map((name) => headers.get(`paypal-transmission-${name}`))
        .concat(headers.get("paypal-cert-url"), headers.get("paypal-auth-algo"));
      if (!id || !sentAt || !signature || !certificateUrl || algorithm !== "SHA256withRSA") return false;
      const url = certificateAddress(certificateUrl, config.certificateOrigins ?? CERTIFICATE_ORIGINS);
      if (!url) return false;
      let chain: X509Certificate[];
      try {
        chain = await certificates(url);
      } catch (error) {
        if (error instanceof ProviderError && error.kind === "unavailable") throw error;
        return false;
      }
      const [leaf] = chain as [X509Certificate];
      const now = new Date();
      if (!isCurrent(leaf, now) || !CERTIFICATE_NAME.test(leaf.subject)) return false;
      const signed = createVerify("sha256").update(`${id}|${sentAt}|${webhookId}|${crc32(rawBody)}`);
      if (!signed.verify(leaf.publicKey, signature, "base64")) return false;
      if (isTrusted(chain, trustedRoots(config.trustedRoots), now)) return true;
      // PayPal has published certificates without the intermediate ones: then PayPal is asked to verify the signature.
      const { verification_status } = await read(
        z.object({ verification_status: z.string() }),
        authorized("POST", "/v1/notifications/verify-webhook-signature", {
          // The event must be sent byte by byte as received: serialized again it may differ (1.0, key order).
          body: `${JSON.stringify({
            auth_algo: algorithm,
            cert_url: certificateUrl,
            transmission_id: id,
            transmission_sig: signature,
            transmission_time: sentAt,
            webhook_id: webhookId,
          }).slice(0, -1)},"webhook_event":${Buffer.from(rawBody).toString("utf8")}}`,
        }),
      );
      return verification_status === "SUCCESS";
    },
  };
}

/** The address of a certificate, or null where PayPal publishes none. */
function certificateAddress(given: string, origins: readonly string[]): string | null {
  const url = URL.parse(given);
  if (!url || !origins.includes(url.origin) || url.username || url.password || url.search || url.hash) return null;
  return url.pathname.startsWith(CERTIFICATE_PATH) ? url.href : null;
}

/** Downloads a certificate chain, the leaf first. */
async function downloadChain(url: string, fetch: Fetch, timeoutMs: number): Promise<X509Certificate[]> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    text = await response.text();
  } catch {
    throw new ProviderError("unavailable", PROVIDER, "the certificate of a webhook got no answer");
  }
  if (status !== 200)
    throw new ProviderError(
      status >= 500 || status === 429 ? "unavailable" : "refused",
      PROVIDER,
      "the certificate of a webhook",
      { status },
    );
  if (text.length > CERTIFICATE_BYTES) throw new Error("The certificate is too large.");
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (!found.length) throw new Error("There is no certificate.");
  return found.map((pem) => new X509Certificate(pem));
}

const isCurrent = (certificate: X509Certificate, now: Date) =>
  certificate.validFromDate <= now && now <= certificate.validToDate;

let nodeRoots: X509Certificate[] | undefined;
function trustedRoots(given: readonly string[] | undefined): X509Certificate[] {
  if (given) return given.map((pem) => new X509Certificate(pem));
  nodeRoots ??= getCACertificates("default").map((pem) => new X509Certificate(pem));
  return nodeRoots;
}

/** Whether a certificate chain ends in a trusted root. */
function isTrusted(chain: X509Certificate[], roots: X509Certificate[], now: Date): boolean {
  const above = chain.slice(1).filter((certificate) => certificate.ca && isCurrent(certificate, now));
  const issued = (by: X509Certificate) => current.checkIssued(by) && current.verify(by.publicKey);
  let current = chain[0]!;
  for (let steps = 0; steps <= chain.length; steps++) {
    if (roots.some((root) => isCurrent(root, now) && issued(root))) return true;
    const next = above.find((certificate) => certificate !== current && issued(certificate));
    if (!next) return false;
    current = next;
  }
  return false;
}
