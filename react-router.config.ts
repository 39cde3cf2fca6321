import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The whole route manifest travels with the first page: no extra endpoint that lists our URLs.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
