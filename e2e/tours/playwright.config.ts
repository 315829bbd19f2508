import { defineConfig } from "@playwright/test";
import journeys from "../playwright.config.ts";

/** A tour has a gateway and providers of its own, whose times it observes: one at a time. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "*.tour.ts",
  workers: 1,
  timeout: 120_000,
  outputDir: "../test-results/tours",
});
