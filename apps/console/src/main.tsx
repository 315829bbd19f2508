import "@mantine/core/styles.layer.css";
import "./global.css";
import "./lib/browser/obey-policy.ts";
import "./routes/begin-page.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppProviders } from "./app-providers.tsx";
import { awaitInter } from "./fonts/show-inter.ts";
import { loadFirstTexts } from "./lib/i18n/i18n.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const place = createRoot(root);
void Promise.all([loadFirstTexts(), awaitInter()]).then(() =>
  place.render(
    <StrictMode>
      <AppProviders />
    </StrictMode>,
  ),
);
