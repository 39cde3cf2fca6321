import { expect, test } from "vitest";
import { redirectHidingHistory } from "./page-request.server.ts";

test.each([
  ["/consulta/a", "/consulta/a?orden=votadas", true],
  ["/consulta/a", "/", false],
  ["/cuenta", "/consulta/a", false],
  [null, "/consulta/a", false],
])("replaces the history entry only between pages with a quick exit: %s to %s", (from, to, isReplaced) => {
  const headers: HeadersInit = from ? { referer: `https://divan.example${from}` } : {};
  const response = redirectHidingHistory({ request: new Request("https://divan.example/x", { headers }) }, to);
  expect(response.headers.get("location")).toBe(to);
  expect(response.headers.has("x-remix-replace")).toBe(isReplaced);
});
