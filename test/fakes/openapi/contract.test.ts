import { expect, test } from "vitest";
import { startFakeServer } from "../fake-server.ts";
import { openContract } from "./contract.ts";

const headers = { authorization: "Bearer x" };

test("makes the fake respond 599 to an undescribed response, and throw when it is closed", async () => {
  const server = await startFakeServer(openContract("paypal"), () => ({ status: 200, body: { state: "sold" } }));
  const answer = await fetch(`${server.url}/v1/payments/sale/S-1`, { headers });
  expect(answer.status).toBe(599);
  expect(await answer.text()).toContain("sale/state/enum");
  await expect(server.close()).rejects.toThrow("sale/state/enum");
});

test.each([
  ["a call is not described", "GET", "/v1/customers/5", "neither described nor listed"],
  ["a parameter is misspelt", "GET", "/v1/payments/search?external_referense=1", "query/external_referense"],
  ["a required parameter is missing", "GET", "/v1/payments/search", "query/criteria/required"],
  ["a field of the request is misspelt", "POST", "/preapproval", "SubscriptionRequest/additionalProperties/payer_mail"],
])("reports a request whose response is a fault if %s", async (_what, method, path, rule) => {
  const server = await startFakeServer(openContract("mercadopago"), () => ({ status: 200 }));
  server.injectFault(/./, "receiving", { status: 503 });
  const sent = method === "POST" ? { body: '{"payer_mail":""}' } : {};
  expect((await fetch(server.url + path, { method, headers, ...sent })).status).toBe(503);
  await expect(server.close()).rejects.toThrow(rule);
});
