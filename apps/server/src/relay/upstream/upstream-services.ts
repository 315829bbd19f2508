import type { ProviderIo } from "@one-api/providers/provider-io";
import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { Translate } from "../translate/index.ts";

export interface UpstreamServices {
  readonly client: Dispatcher;
  readonly proxy: () => string;
  readonly providerIo: ProviderIo;
  readonly translate: Translate;
  readonly answerMemory: MemoryBudget;
  readonly timeouts: RelayTimeouts;
  readonly log: Logger;
}
