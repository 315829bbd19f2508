import { foreseeChange as foreseeChangeCall } from "@one-api/contract/usage/what-if";
import type { CallRegistry } from "../../core/call-registry.ts";
import { foreseeChange } from "./foresee-change.ts";
import type { WhatIfDependencies } from "./what-if-dependencies.ts";

export function registerWhatIfCalls(registry: CallRegistry, deps: WhatIfDependencies): void {
  registry.register(foreseeChangeCall, ({ context, body }) => foreseeChange(context, deps, body));
}
