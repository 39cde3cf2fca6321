import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // Sends the whole route manifest with the first page, so that no additional endpoint lists our URLs.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
