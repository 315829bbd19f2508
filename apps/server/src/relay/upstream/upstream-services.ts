import type { FetchPicture } from "@one-api/providers/provider-io";
import type { Logger } from "pino";
import type { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { Translate } from "../translate/index.ts";
import type { Upstream } from "./upstream.ts";

export interface UpstreamServices {
  readonly upstream: Pick<Upstream, "through" | "addressOf">;
  readonly fetchPicture: FetchPicture;
  readonly translate: Translate;
  readonly answerMemory: MemoryBudget;
  readonly timeouts: RelayTimeouts;
  readonly log: Logger;
}
