import { listOptions, listSetSecrets, updateOption as updateOptionCall } from "@one-api/contract/options/option";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type OptionCallDeps, updateOption } from "./update-option.ts";

export function registerOptionCalls(registry: CallRegistry, deps: OptionCallDeps): void {
  const { options } = deps;
  // Another server may have changed an option that the caller just saved there.
  registry.register(listOptions, async () => {
    await options.followOthers();
    return options.list().map((option) => ({ ...option, default: OPTION_DEFINITIONS[option.key].default }));
  });
  registry.register(listSetSecrets, async () => {
    await options.followOthers();
    return options.listSetSecrets();
  });
  registry.register(updateOptionCall, async ({ context, body }) => {
    await updateOption(context, deps, body);
    return null;
  });
}
