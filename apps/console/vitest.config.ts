import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: "jsdom",
      environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
      // Files share one registry of modules: loading them anew for each costs a fifth of all. What a test leaves behind, set-up.ts clears.
      isolate: false,
      include: ["src/**/*.test.{ts,tsx}"],
      setupFiles: ["src/testing/set-up.ts"],
      restoreMocks: true,
      css: false,
      // As for the other tests: a larger young generation.
      execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=64"],
      // On a machine that does much else a page takes its time to draw; what hangs still ends.
      testTimeout: 30_000,
    },
  }),
);
