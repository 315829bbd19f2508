import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { countRefusals, listRefusedNames } from "../logs/index.ts";

/** Code of the refusal of a model without a price. */
export const MODEL_WITHOUT_PRICE = "model_without_price";

const DAY_SECONDS = 86_400;

/**
 * Returns the requested names, models or aliases, that a group of users has no priced channel for. The value is the model whose
 * price is missing.
 */
export type FindRefused = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface RefusedModelsDeps {
  readonly options: Pick<OptionStore, "text">;
  readonly findRefused: FindRefused;
}

interface RefusedModel {
  readonly model: string;
  readonly priceOf: string;
  /** Refused requests of 24 hours. */
  readonly requests: number;
}

/**
 * Lists models that were refused in 24 hours and still have no price, the most requested first. None unless the option
 * UnpricedModels is `ask`. Throws as `askLog`.
 */
export async function listRefusedModels(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  { options, findRefused }: RefusedModelsDeps,
): Promise<RefusedModel[]> {
  if (options.text("UnpricedModels") !== "ask") return [];
  const since = nowSeconds(context.clock) - DAY_SECONDS;
  const unpriced = await findRefused(await listRefusedNames(context, since));
  if (unpriced.size === 0) return [];
  const counts = await countRefusals(context, { code: MODEL_WITHOUT_PRICE, models: [...unpriced.keys()], since });
  return [...unpriced]
    .flatMap(([model, priceOf]) => {
      const requests = counts.get(model);
      return requests === undefined ? [] : [{ model, priceOf, requests }];
    })
    .toSorted((left, right) => right.requests - left.requests);
}
