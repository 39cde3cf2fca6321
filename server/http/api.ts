/** The API: webhooks of payment providers, the operations of the contract, and their document. */
import { isUtf8 } from "node:buffer";
import { OpenAPIGenerator } from "@orpc/openapi";
import { StandardOpenAPIHandler } from "@orpc/openapi/standard";
import { ORPCError, type Router } from "@orpc/server";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import type { Logger } from "pino";
import { contract } from "#shared/contract.ts";
import { AppError, type ErrorBody } from "#shared/errors.ts";
import { PAYMENT_METHODS } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Context } from "../context.ts";
import { receiveWebhook } from "../memberships/reading/events.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { bodyLimit, isPhotoUpload, limitUploads, readBody, readForm, WEBHOOK } from "./body.ts";
import { asAppError, errorHeaders, errorResponse, methodNotAllowed, statusOf } from "./errors.ts";
import { responseWith } from "./known-body.ts";
import { clientIp } from "./origin.ts";
import { limitSender } from "./sender-limits.ts";
import type { Shell } from "./shell.ts";

const operations = Object.values(contract).flatMap((group) =>
  Object.values(group).map((procedure) => {
    const { method = "GET", path = "/" } = procedure["~orpc"].route;
    return { method, pattern: new RegExp(`^/api${path.replace(/\{[^}]+\}/g, "[^/]+")}$`) };
  }),
);

/** Groups of operations for administrators, the demo and the test mode. */
const INTERNAL = new Set(["admin", "inbox", "payments", "gold", "funnel", "demo", "testPayments"]);

let document: Promise<object> | undefined;

/** Returns the OpenAPI document of the public operations. */
export function openApiDocument(publicUrl: string): Promise<object> {
  document ??= new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    filter: ({ path }) => !INTERNAL.has(path[0]!),
    info: { title: `${PRODUCT_NAME} API`, version: "1" },
    servers: [{ url: `${publicUrl}/api` }],
  });
  return document;
}

export type ApiRouter = Router<typeof contract, { request: RequestContext }>;

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Converts all errors of operations to AppError. */
export const knownErrors =
  (log: Logger) =>
  async <Result>({ next, path }: { next: () => Promise<Result>; path: readonly string[] }): Promise<Result> => {
    try {
      return await next();
    } catch (error) {
      const appError = asAppError(error, log, path.join("."));
      throw new ORPCError(appError.code, { status: statusOf(appError), data: appError, cause: appError });
    }
  };

export function serveWebhooks(app: Shell, context: Context): void {
  app.post(`/api/webhooks/:provider{(?:${PAYMENT_METHODS.join("|")})}`, async (c) => {
    const request = c.req.raw;
    await context.rateLimits.spend("webhook", { address: clientIp(c.env.peer, request.headers, context.config) });
    const body = (await readBody(request, WEBHOOK)) ?? new Uint8Array();
    const status = await receiveWebhook(context, c.req.param("provider"), request, body);
    return new Response(null, { status, headers: { "cache-control": "no-store" } });
  });
}

/** Returns the refusal of an unknown path or method, or null if an operation has both. */
function routeError(path: string, method: string): Response | null {
  const allowed = operations.filter((operation) => operation.pattern.test(path)).map((operation) => operation.method);
  if (!allowed.length) return errorResponse(new AppError("not_found"));
  if (allowed.includes((method === "HEAD" ? "GET" : method) as never)) return null;
  return methodNotAllowed(allowed);
}

type Handle = StandardOpenAPIHandler<{ request: RequestContext }>["handle"];
type OperationResponse = NonNullable<Awaited<ReturnType<Handle>>["response"]>;

/** Converts a result to an uncacheable response with the headers of its error. */
function apiResponse({ status, headers, body }: OperationResponse): Response {
  const sent = new Headers({ ...(headers as Record<string, string>), "cache-control": "private, no-store" });
  if (body === undefined || body instanceof ReadableStream) return new Response(body, { status, headers: sent });
  sent.set("content-type", "application/json");
  if (status >= 400) {
    const { code, details } = body as ErrorBody;
    for (const [name, value] of Object.entries(errorHeaders(new AppError(code, { details })))) sent.set(name, value);
  }
  return responseWith(JSON.stringify(body), { status, headers: sent });
}

/**
 * Reads a request's body within its limit, as JSON or as a photo's form, for an operation.
 * @throws AppError payload_too_large, unsupported_media_type, malformed_request
 */
async function operationRequest(raw: Request, own: RequestContext): Promise<Parameters<Handle>[0]> {
  const type = raw.headers.get("content-type") ?? undefined;
  const body = await readBody(raw, bodyLimit(raw, own));
  const request = {
    url: new URL(raw.url),
    // HEAD runs as GET; the shell removes the body.
    method: raw.method === "HEAD" ? "GET" : raw.method,
    headers: {},
    signal: raw.signal,
  };
  if (isPhotoUpload(raw)) {
    const photo = await readForm(body, type);
    return { ...request, body: async () => photo };
  }
  // An empty body means an operation without input, for every declared content type.
  if (!body) return { ...request, body: async () => ({}) };
  if (!JSON_TYPE.test(type ?? "")) throw new AppError("unsupported_media_type");
  // Decoding would put replacement characters into the texts.
  if (!isUtf8(body)) throw new AppError("malformed_request");
  return { ...request, body: async () => JSON.parse(new TextDecoder().decode(body)) };
}

export function serveApi(app: Shell, { config, log }: Context, router: ApiRouter): void {
  const handler = new StandardOpenAPIHandler(router, {
    clientInterceptors: [knownErrors(log)],
    customErrorResponseBodyEncoder: (error) => asAppError(error, log, "api").body,
  });

  app.get("/api/openapi.json", (c) =>
    limitSender(c, async () => c.json(await openApiDocument(config.publicUrl.origin))),
  );

  app.all("/api/*", async (c, next) => {
    const { path, method } = c.req;
    if (path === "/api/docs" || path === "/api/docs.data") return next();
    const refused = routeError(path, method);
    if (refused) return refused;
    const own = c.get("own");
    const { response } = await limitUploads(c.req.raw, own, async () => {
      const request = await operationRequest(c.req.raw, own);
      return limitSender(c, () => handler.handle(request, { prefix: "/api", context: { request: own } }));
    });
    return response ? apiResponse(response) : errorResponse(new AppError("not_found"));
  });
}
