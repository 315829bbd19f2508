import { listGroups } from "@one-api/contract/user";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";

/** Hands in the call that lists the user groups: those with a ratio of their own. */
export function registerGroupCalls(registry: CallRegistry, options: OptionStore): void {
  registry.register(listGroups, async () => [...options.ratios("GroupRatio").keys()].sort());
}
