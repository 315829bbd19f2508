import { listOptions, listSetSecrets, updateOption as updateOptionCall } from "@one-api/contract/option";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { LoadedOptionStore } from "./create-option-store.ts";
import { updateOption } from "./update-option.ts";

/** Hands in the calls that read and set options. */
export function registerOptionCalls(registry: CallRegistry, options: LoadedOptionStore): void {
  registry.register(listOptions, async () => options.list());
  registry.register(listSetSecrets, async () => options.listSetSecrets());
  registry.register(updateOptionCall, async ({ context, body }) => {
    await updateOption(context, options, body);
    return null;
  });
}
