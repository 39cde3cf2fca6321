import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // One bundle for server code and pages, so that a module exists once (docs/decisions/0003).
  environments: { ssr: { build: { rollupOptions: { input: "./server/app.ts" } } } },
  build: { target: "es2022", assetsInlineLimit: 0, sourcemap: false },
});
