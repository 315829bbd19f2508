import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The Host header stays as the browser sent it, so that the gateway sees its own origin.
const gateway = { target: "http://127.0.0.1:3000", changeOrigin: false };

export default defineConfig({
  plugins: [react()],
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: { "/api": gateway, "/v1": gateway },
  },
  build: {
    outDir: "dist",
    target: "es2022",
    // Inlined assets would be data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs comes in two files instead of thirty: the libraries, which rarely change, and the shell.
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules/, tags: ["$initial"], priority: 2 },
            { name: "shell", tags: ["$initial"], priority: 1 },
          ],
        },
      },
    },
  },
});
