import * as calls from "@one-api/contract/limits/limit-use";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type LimitUseDeps, readLimitUse } from "./read-limit-use.ts";

export function registerLimitUseCalls(registry: CallRegistry, deps: LimitUseDeps): void {
  registry.register(calls.readLimitUse, ({ context, query }) => readLimitUse(context, deps, query));
}
