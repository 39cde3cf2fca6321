import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { contract } from "#shared/contract.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

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
