import * as calls from "@one-api/contract/pricing";
import { AppError } from "../../core/app-error.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { ModelCatalogue } from "../models/index.ts";
import { groupsOfUser } from "../users/index.ts";
import { listListedPrices } from "./list-listed-prices.ts";

/** Asks the relay what each model costs that somebody in these groups can call; the first group that serves a model is the one that pays. */
export type ListPrices = (groups: readonly string[]) => Promise<calls.OfferedPrice[]>;

interface PricingDependencies {
  readonly options: OptionStore;
  readonly listPrices: ListPrices;
  readonly catalogue: ModelCatalogue;
}

/** Hands in the calls about prices. */
export function registerPricingCalls(
  registry: CallRegistry,
  { options, listPrices, catalogue }: PricingDependencies,
): void {
  registry.register(calls.listPrices, async ({ context: { actor } }) => {
    if (!options.flag("PricingEnabled")) throw new AppError("pricing-off", "The page of prices is switched off.");
    return listPrices(groupsOfUser(actor?.group ?? ""));
  });
  registry.register(calls.listListedPrices, ({ context }) => listListedPrices(context.database.db, catalogue));
}
