import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { contract } from "#shared/contract.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

let document: Promise<object> | undefined;

/** Returns the OpenAPI document of the public operations. Omits operations of administrators and of the demo. */
export function openApiDocument(publicUrl: string): Promise<object> {
  const {
    admin: _admin,
    inbox: _inbox,
    payments: _payments,
    gold: _gold,
    funnel: _funnel,
    demo: _demo,
    testPayments: _test,
    ...published
  } = contract;
  document ??= new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(published, {
    info: { title: `${PRODUCT_NAME} API`, version: "1" },
    servers: [{ url: `${publicUrl}/api` }],
  });
  return document;
}
