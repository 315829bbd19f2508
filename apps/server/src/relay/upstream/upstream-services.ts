import type { ProviderIo } from "@one-api/providers/provider-io";
import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { Translate } from "../translate/index.ts";

/** Services that call providers. */
export interface UpstreamServices {
  readonly client: Dispatcher;
  /** Address of the outbound proxy; empty for none. */
  readonly proxy: () => string;
  readonly providerIo: ProviderIo;
  readonly translate: Translate;
  /** Memory for whole answers. */
  readonly answerMemory: MemoryBudget;
  readonly timeouts: RelayTimeouts;
  readonly log: Logger;
}
