import "@mantine/core/styles.layer.css";
import "./global.css";
import "./lib/browser/obey-policy.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppProviders } from "./app-providers.tsx";
import { loadFirstTexts } from "./lib/i18n/i18n.ts";
import { router } from "./router.tsx";

/** Longest wait for the page's code, in ms: with it, menu and page are rendered once instead of one after the other. */
const PATIENCE_MS = 300;

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const place = createRoot(root);

/** No top-level await: the files of pages import this one, and would wait for its end. */
async function start(): Promise<void> {
  await loadFirstTexts();
  const patience = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([router.load().catch(console.error), patience]);
  place.render(
    <StrictMode>
      <AppProviders />
    </StrictMode>,
  );
}

void start();
