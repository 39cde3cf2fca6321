import { expect, test } from "vitest";
import { openApiDocument } from "./api.ts";

test("openApiDocument lists the public operations and none of the administrator, the demo or test payments", async () => {
  const { paths } = (await openApiDocument("https://divan.example")) as { paths: object };
  const listed = Object.keys(paths);
  expect(listed).toEqual(expect.arrayContaining(["/consultations", "/search", "/checkouts"]));
  expect(listed.filter((path) => /^\/(admin|demo|test-payments)/.test(path))).toEqual([]);
});
