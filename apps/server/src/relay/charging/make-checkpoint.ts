import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { PricedCandidate } from "../routing/index.ts";
import { computeCharge } from "../pricing/index.ts";
import type { ReservedRequest } from "./reserved-request.ts";

/** Returns what is charged and logged for a usage if the server dies now. The charge stays within the reservation. */
export function makeCheckpoint(
  { requestId, reserved, ask }: Pick<ReservedRequest, "requestId" | "reserved" | "ask">,
  { id: channelId, price }: Pick<PricedCandidate, "id" | "price">,
  usage: Usage,
): Checkpoint {
  const delivered = Math.min(reserved, computeCharge(usage, price));
  // Counts of a stream under way may be estimates.
  const [prompt_tokens, completion_tokens] = [Math.ceil(usage.promptTokens), Math.ceil(usage.completionTokens)];
  return { requestId, channelId, delivered, log: { model_name: ask.model, prompt_tokens, completion_tokens } };
}
