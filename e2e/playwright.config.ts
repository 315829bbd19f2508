import { defineConfig } from "@playwright/test";

/** Features that tests never see, and that cost a process per window or page. */
const UNSEEN_FEATURES = [
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
];

/** Features that Playwright itself disables: Chromium only uses the last list. */
const FEATURES_OFF_BY_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Journeys run against the real server and the system's own Chromium; nothing is downloaded. */
export default defineConfig({
  testDir: "journeys",
  testMatch: "**/*.spec.ts",
  timeout: 300_000,
  expect: { timeout: 15_000 },
  // A journey waits as long as it works. The files share nothing.
  workers: 2,
  retries: 0,
  reporter: "list",
  outputDir: "test-results",
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    // Animations cost a quarter of all work, and screenshots catch them halfway. The main journey and the first load
    // keep them.
    contextOptions: { reducedMotion: "reduce" },
    // Traces of everything cost as much as what they watch. For one: npx playwright test --trace=retain-on-failure
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-software-rasterizer",
        "--disable-partial-raster",
        "--num-raster-threads=1",
        // Pages live too briefly for the code that the optimizing compilers make of them.
        "--js-flags=--no-maglev --no-turbofan",
        `--disable-features=${[...FEATURES_OFF_BY_PLAYWRIGHT, ...UNSEEN_FEATURES].join(",")}`,
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
