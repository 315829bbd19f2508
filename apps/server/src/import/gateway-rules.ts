import type { GatewayRules } from "@one-api/importer/gateway-rules";
import { DEFAULT_CHANNEL_TYPE, isChannelType } from "@one-api/contract/channels/channel-types";
import { NO_USAGE } from "@one-api/providers/usage";
import { AppError } from "../core/app-error.ts";
import type { RatioTable } from "../core/option-store.ts";
import { type CheckedChannel, checkNewChannels } from "../features/channels/index.ts";
import { checkOptionNeeds, readOption } from "../features/options/index.ts";
import { readSubnet } from "../features/tokens/index.ts";
import { computeCharge, priceModel } from "../relay/pricing/index.ts";
import { boundIdAt, isBcryptHash } from "../features/users/index.ts";

export const gatewayRules: GatewayRules<CheckedChannel> = {
  isRefusal: (error) => error instanceof AppError,
  isBcryptHash,
  boundIdAt,
  readSubnet,
  readOption: (key, text) => readOption(key, text).text,
  checkOptionNeeds,
  checkNewChannels,
  priceOf({ ModelPrices, ...ratios }, { model, type, group }) {
    const tables = new Map<string, RatioTable>(Object.entries(ratios));
    const options = { ratios: (key: string) => tables.get(key) ?? new Map(), prices: () => ModelPrices };
    const price = priceModel(options, { model, type: isChannelType(type) ? type : DEFAULT_CHANNEL_TYPE, group });
    return {
      ...price,
      charge: (tokens) => computeCharge({ ...NO_USAGE, ...ONE_OF_EACH, ...tokens }, price),
    };
  },
};

const ONE_OF_EACH = { images: 1, characters: 1, seconds: 1, searches: 1 };
