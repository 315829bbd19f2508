import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { completePage } from "./build/complete-page.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { splitComponentStyles } from "./build/split-component-styles.ts";

// The Host header stays as the browser sent it, so that the gateway sees its own origin.
const gateway = { target: "http://127.0.0.1:3000", changeOrigin: false };

export default defineConfig({
  plugins: [react(), completePage(), splitComponentStyles(), compressAssets()],
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: { "/api": gateway, "/v1": gateway },
  },
  build: {
    outDir: "dist",
    manifest: true,
    target: "es2022",
    // Inlined assets would be data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Calls of these have no effect, so schemas that no form uses are left out.
      treeshake: {
        manualPureFunctions: ["z", "defineCall", "listQuery", "searchQuery", "textSchema", "jsonText"],
        propertyReadSideEffects: false,
      },
      output: {
        // The first script names every other file, so each character of a name costs some hundred bytes. Seven are 42 bits.
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[hash:7][extname]",
        codeSplitting: {
          // Otherwise a group takes along modules that other pages need without it.
          includeDependenciesRecursively: false,
          groups: [
            { name: "shell", tags: ["$initial"], priority: 3 },
            { name: "first-zh-CN", test: /locales\/zh-CN\/(?:common|login|shell)\.json/, priority: 2 },
            { name: "shared", test: /\.(?:m?js|tsx?|css)$/, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
});
