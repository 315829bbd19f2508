import * as priceList from "@one-api/contract/prices/price-list";
import * as calls from "@one-api/contract/prices/pricing";
import { splitList } from "@one-api/contract/texts";
import { AppError } from "../../core/app-error.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { groupsOfUser } from "../../core/actor.ts";
import { estimatePriceEffect, type PriceOf } from "./estimate-price-effect.ts";
import {
  findNewPriceList,
  listWaitingPrices,
  type PriceListDependencies,
  useOtherPriceList,
} from "./change-price-list.ts";
import { listComingPrices } from "./list-coming-prices.ts";
import { listListedPrices } from "./list-listed-prices.ts";

export type ListPrices = (groups: readonly string[]) => Promise<calls.OfferedPrice[]>;

export type FindUnpriced = (models: readonly string[], type: number) => Promise<string[]>;

interface PricingDependencies extends PriceListDependencies {
  readonly priceOf: PriceOf;
  readonly findUnpriced: FindUnpriced;
  readonly listPrices: ListPrices;
}

export function registerPricingCalls(registry: CallRegistry, deps: PricingDependencies): void {
  const { options, listPrices, findUnpriced, catalogue, priceLists, program } = deps;
  registry.register(calls.listPrices, async ({ context: { actor } }) => {
    if (!options.flag("PricingEnabled")) throw new AppError("pricing-off", "The price page is disabled.");
    return listPrices(groupsOfUser(actor?.group ?? ""));
  });
  registry.register(calls.listListedPrices, ({ context }) => listListedPrices(context.database.db, catalogue));
  registry.register(calls.findUnpricedModels, ({ query }) => findUnpriced(splitList(query.models), query.type));
  registry.register(calls.estimatePriceEffect, ({ context, body }) => estimatePriceEffect(context, deps, body));
  registry.register(calls.listComingPrices, ({ context }) => listComingPrices(context, deps));
  registry.register(priceList.getPriceList, async () => {
    const { version, fetchedAt, program: fetchedWith, list } = priceLists.inUse();
    const isOlder = version !== "" && fetchedWith !== program;
    return { version, fetched_at: fetchedAt, models: list.modelCount, is_older_than_program: isOlder };
  });
  registry.register(priceList.listWaitingPrices, ({ context }) => listWaitingPrices(context, deps));
  registry.register(priceList.findPriceList, ({ context }) => findNewPriceList(context, deps));
  registry.register(priceList.usePriceList, async ({ context, body }) => {
    await useOtherPriceList(context, deps, body.version);
    return null;
  });
}
