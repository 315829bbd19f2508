import { getAbout, getHomePageContent, getNotice, getStatus } from "@one-api/contract/status";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { presentStatus, type ServerFacts } from "./status.present.ts";

/** Hands in the calls that everybody may make: the public status and the contents of open pages. */
export function registerStatusCalls(registry: CallRegistry, options: OptionStore, facts: ServerFacts): void {
  registry.register(getStatus, async () => presentStatus(options, facts));
  registry.register(getNotice, async () => options.text("Notice"));
  registry.register(getAbout, async () => options.text("About"));
  registry.register(getHomePageContent, async () => options.text("HomePageContent"));
}
