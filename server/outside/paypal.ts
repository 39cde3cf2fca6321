import { createVerify, X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { ExternalServiceError, orNull } from "./external-service-error.ts";
import { type Fetch, type JsonCall, openJsonCalls, readAnswer } from "./json-call.ts";
import { Decimal } from "./minor-units.ts";

const SERVICE = "PayPal";

/** Where PayPal publishes the certificates of its notifications. */
const CERTIFICATE_ORIGINS = [
  "api.paypal.com",
  "api-m.paypal.com",
  "api.sandbox.paypal.com",
  "api-m.sandbox.paypal.com",
].map((host) => `https://${host}`);
const CERTIFICATE_PATH = "/v1/notifications/certs/";
/** Whom such a certificate names, live and in the sandbox. */
const CERTIFICATE_NAME = /^CN=messageverificationcerts(\.[\w-]+)*\.paypal\.com$/m;
/** A chain is a few KB; PayPal uses a handful of certificates at a time. */
const CERTIFICATE_BYTES = 64 * 1024;
const CERTIFICATES_KEPT = 20;

/** A token is given up this long before PayPal stops taking it. */
const TOKEN_MARGIN_MS = 60_000;
/** PayPal's largest page of notifications. */
const EVENT_PAGE = 300;
/** More than were ever sent in the days that PayPal keeps them; whoever answers for it cannot keep us reading. */
const EVENT_PAGES = 100;

const nothing = z.null().optional();
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const money = z
  .object({ currency_code: z.string(), value: Decimal })
  .transform(({ currency_code, value }) => ({ amount: value, currency: currency_code }));
/** The older objects of PayPal name the same things differently. */
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
    status_update_time: time.or(nothing),
    create_time: time.or(nothing),
    plan_id: z.string().or(nothing),
    custom_id: z.string().or(nothing),
    plan_overridden: z.boolean().or(nothing),
    quantity: z.string().or(nothing),
    billing_info: z
      .object({
        last_payment: z.object({ amount: money, time: time.or(nothing) }).or(nothing),
        next_billing_time: time.or(nothing),
        failed_payments_count: z.number().or(nothing),
      })
      .or(nothing),
  })
  .transform(({ billing_info: billing, ...row }) => ({
    id: row.id,
    /** APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED or EXPIRED. */
    status: row.status,
    statusUpdateTime: row.status_update_time ?? null,
    createTime: row.create_time ?? null,
    planId: row.plan_id ?? null,
    /** What we gave it when it was created. */
    customId: row.custom_id ?? null,
    /** Somebody changed the plan's terms for this one subscription. */
    planOverridden: row.plan_overridden ?? false,
    quantity: row.quantity ?? "1",
    /** Amounts in hundredths. */
    lastPayment: billing?.last_payment
      ? { ...billing.last_payment.amount, time: billing.last_payment.time ?? null }
      : null,
    /** Absent once it is over; just after activation it was seen to lie in the past. */
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
    billing_agreement_id: z.string().or(nothing),
    create_time: time.or(nothing),
    update_time: time.or(nothing),
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
    update_time: time.or(nothing),
    dispute_outcome: z.object({ outcome_code: z.string().or(nothing) }).or(nothing),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().or(nothing) })).default([]),
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
    create_time: time.or(nothing),
    resource: z.record(z.string(), z.unknown()).default({}),
  })
  .transform((row) => ({
    id: row.id,
    type: row.event_type,
    createTime: row.create_time ?? null,
    /** As PayPal sent it: a hint of what to read again. */
    resource: row.resource,
  }));
export type PaypalEvent = z.output<typeof Event>;

const EventPage = z.object({
  events: z.array(Event).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

type PaypalEventPage = z.output<typeof EventPage>;

/** A notification's body, as far as it can be read. Its signature says whether to believe it. */
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
  /** Of the address that PayPal notifies; its signatures are made for it alone. */
  webhookId: string;
  /** Whence certificates may come; PayPal's own unless a local stand-in is used. */
  certificateOrigins?: readonly string[];
  /** Certificates (PEM) in whom a chain must end; those that Node trusts unless told otherwise. */
  trustedRoots?: readonly string[];
  fetch?: Fetch;
  timeoutMs?: number;
};

export type Paypal = ReturnType<typeof createPaypal>;

/**
 * PayPal's REST interface, as far as subscriptions need it. Amounts are whole hundredths of their currency.
 * Every method throws ExternalServiceError.
 */
export function createPaypal(config: PaypalConfig) {
  const { clientId, clientSecret, webhookId, fetch = globalThis.fetch, timeoutMs = 10_000 } = config;
  const call = openJsonCalls(
    SERVICE,
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
  function freshToken(): Promise<string> {
    const asked = Date.now();
    const mine: NonNullable<typeof token> = { value: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
    mine.value = (async () => {
      try {
        const answer = await call("POST", "/v1/oauth2/token", {
          headers: {
            authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
            "content-type": "application/x-www-form-urlencoded",
          },
          body: "grant_type=client_credentials",
        });
        const { access_token, expires_in } = readAnswer(SERVICE, Token, answer);
        mine.until = asked + expires_in * 1000 - TOKEN_MARGIN_MS;
        return access_token;
      } catch (error) {
        if (token === mine) token = null;
        throw error;
      }
    })();
    token = mine;
    return mine.value;
  }

  /** Calls with the token; one that PayPal does not take any more is replaced once. */
  async function authorized(method: string, path: string, options: JsonCall = {}): Promise<unknown> {
    for (let first = true; ; first = false) {
      const used = token && token.until > Date.now() ? token.value : freshToken();
      const headers = { ...options.headers, authorization: `Bearer ${await used}` };
      try {
        return await call(method, path, { ...options, headers });
      } catch (error) {
        if (!first || !(error instanceof ExternalServiceError && error.status === 401)) throw error;
        if (token?.value === used) token = null;
      }
    }
  }

  const read = <Schema extends z.ZodType>(schema: Schema, answer: Promise<unknown>) =>
    answer.then((body) => readAnswer(SERVICE, schema, body));
  const subscriptionPath = (id: string) => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

  const subscription = (id: string): Promise<PaypalSubscription | null> =>
    orNull(read(Subscription, authorized("GET", subscriptionPath(id))));

  const kept = new Map<string, Promise<X509Certificate[]>>();
  /** The certificate at an address and those above it. Throws plainly for what is no chain of certificates. */
  async function certificates(url: string): Promise<X509Certificate[]> {
    const before = kept.get(url);
    if (before) return before;
    const asked = downloadedChain(url, fetch, timeoutMs);
    kept.set(url, asked);
    if (kept.size > CERTIFICATES_KEPT) kept.delete(kept.keys().next().value!);
    asked.catch(() => kept.delete(url));
    return asked;
  }

  return {
    /**
     * Creates a subscription that the buyer has yet to approve.
     * @param requestId the same id gives the same subscription, for 72 hours
     * @param context needed where the buyer approves on a page of its own (`approveUrl`) and comes back to us
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

    /** Ends a subscription for good. What is over already, by whomever, is no error. */
    async cancel(id: string, reason: string): Promise<"cancelled" | "already_over"> {
      try {
        await authorized("POST", `${subscriptionPath(id)}/cancel`, { body: { reason: reason.slice(0, 127) } });
        return "cancelled";
      } catch (error) {
        if (!(error instanceof ExternalServiceError && error.status === 422)) throw error;
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

    /** What PayPal notified, or tried to, in a span of time. */
    async webhookEvents(from: Date, to: Date): Promise<PaypalEvent[]> {
      const found: PaypalEvent[] = [];
      let query: Record<string, string> | null = {
        page_size: String(EVENT_PAGE),
        start_time: from.toISOString(),
        end_time: to.toISOString(),
      };
      for (let pages = 0; query && pages < EVENT_PAGES; pages++) {
        const page: PaypalEventPage = await read(
          EventPage,
          authorized("GET", "/v1/notifications/webhooks-events", { query }),
        );
        found.push(...page.events);
        // Of the link to the next page only its parameters are taken: it cannot lead elsewhere.
        const next = page.events.length ? URL.parse(page.links.find(({ rel }) => rel === "next")?.href ?? "") : null;
        query = next && Object.fromEntries(next.searchParams);
      }
      return found;
    },

    /**
     * Whether PayPal signed these bytes for our address: RSA over the transmission, our webhook's id and the body's
     * checksum, with a certificate that PayPal publishes.
     * @throws ExternalServiceError unavailable when the certificate cannot be read now: the notification must be sent again
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
        if (error instanceof ExternalServiceError && error.kind === "unavailable") throw error;
        return false;
      }
      const [leaf] = chain as [X509Certificate];
      const now = new Date();
      if (!isCurrent(leaf, now) || !CERTIFICATE_NAME.test(leaf.subject)) return false;
      const signed = createVerify("sha256").update(`${id}|${sentAt}|${webhookId}|${crc32(rawBody)}`);
      if (!signed.verify(leaf.publicKey, signature, "base64")) return false;
      if (endsInTrust(chain, trustedRoots(config.trustedRoots), now)) return true;
      // PayPal has published its certificate without those above it: then PayPal itself says whether it signed.
      const { verification_status } = await read(
        z.object({ verification_status: z.string() }),
        authorized("POST", "/v1/notifications/verify-webhook-signature", {
          // The event must stand there byte by byte as it came: written anew it may differ (1.0, order).
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

async function downloadedChain(url: string, fetch: Fetch, timeoutMs: number): Promise<X509Certificate[]> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    text = await response.text();
  } catch {
    throw new ExternalServiceError("unavailable", SERVICE, "the certificate of a notification got no answer");
  }
  if (status !== 200)
    throw new ExternalServiceError(
      status >= 500 || status === 429 ? "unavailable" : "refused",
      SERVICE,
      "the certificate of a notification",
      { status },
    );
  if (text.length > CERTIFICATE_BYTES) throw new Error("A certificate is smaller.");
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (!found.length) throw new Error("There is no certificate.");
  return found.map((pem) => new X509Certificate(pem));
}

const isCurrent = (certificate: X509Certificate, now: Date) =>
  certificate.validFromDate <= now && now <= certificate.validToDate;

let nodesRoots: X509Certificate[] | undefined;
function trustedRoots(given: readonly string[] | undefined): X509Certificate[] {
  if (given) return given.map((pem) => new X509Certificate(pem));
  nodesRoots ??= getCACertificates("default").map((pem) => new X509Certificate(pem));
  return nodesRoots;
}

/** Whether a certificate was issued by one that is trusted, over any of those that came with it. */
function endsInTrust(chain: X509Certificate[], roots: X509Certificate[], now: Date): boolean {
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
