import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { ResetTime } from "./reset-time.tsx";

test.each([
  ["2026-11-26T21:14:00.000Z", "jueves 26 de noviembre, a las 21:14 UTC"],
  ["2026-11-26T21:13:00.001Z", "jueves 26 de noviembre, a las 21:14 UTC"],
  ["2026-11-27T00:59:59.999Z", "viernes 27 de noviembre, a la 1:00 UTC"],
])("the limit that resets at %s is named as %s, never too early", (at, named) => {
  expect(renderToString(<ResetTime at={at} />)).toContain(`>${named}<`);
});
