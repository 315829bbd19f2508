import * as calls from "@one-api/contract/system/system";
import type { CallRegistry } from "../../core/call-registry.ts";
import { EventLoopDelay } from "../../platform/work/event-loop-delay.ts";
import { getSystem, type SystemParts } from "./get-system.ts";

export function registerSystemCalls(registry: CallRegistry, parts: SystemParts): void {
  const delay = new EventLoopDelay();
  registry.register(calls.getSystem, ({ context }) => getSystem(context, parts, delay));
}
