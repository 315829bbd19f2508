import { testProxy as testProxyCall } from "@one-api/contract/options/option";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { testProxy } from "./test-proxy.ts";

export function registerProxyCalls(registry: CallRegistry, options: OptionStore): void {
  registry.register(testProxyCall, ({ context, body }) => testProxy(context, options, body));
}
