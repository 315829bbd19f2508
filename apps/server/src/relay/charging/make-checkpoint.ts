import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { PricedCandidate } from "../routing/index.ts";
import { computeCharge } from "../pricing/index.ts";
import type { ReservedRequest } from "./reserved-request.ts";

/** Returns the charge and log columns of a usage, for the case that the server dies now. The charge stays within the reservation. */
export function makeCheckpoint(
  { requestId, reserved }: Pick<ReservedRequest, "requestId" | "reserved">,
  { id: channelId, model, price }: Pick<PricedCandidate, "id" | "model" | "price">,
  usage: Usage,
): Checkpoint {
  const delivered = Math.min(reserved, computeCharge(usage, price));
  // Counts of a running stream may be estimates with fractions.
  const [prompt_tokens, completion_tokens] = [Math.ceil(usage.promptTokens), Math.ceil(usage.completionTokens)];
  return { requestId, channelId, delivered, log: { model_name: model, prompt_tokens, completion_tokens } };
}
