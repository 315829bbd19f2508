import { getAvailability } from "@one-api/contract/usage/availability";
import { AppError } from "../../core/app-error.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { createAvailability } from "./read-availability.ts";

export function registerStatusPageCalls(registry: CallRegistry, options: OptionStore): void {
  const readAvailability = createAvailability();
  registry.register(getAvailability, async ({ context }) => {
    if (!options.flag("StatusPageEnabled"))
      throw new AppError("status-page-off", "The status page is switched off. Root switches it on in the settings.");
    return readAvailability(context);
  });
}
