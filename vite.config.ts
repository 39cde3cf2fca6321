import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // One bundle for server code and pages, so that a module exists once (docs/decisions/0003).
  environments: { ssr: { build: { rollupOptions: { input: "./server/app.ts" } } } },
  // Named here so that development does not stop to prepare them while the first page loads.
  optimizeDeps: {
    include: ["react", "react-dom/client", "react/jsx-dev-runtime", "react-router", "react-router/dom", "lucide-react"],
  },
  build: { target: "es2022", assetsInlineLimit: 0, sourcemap: false },
});
