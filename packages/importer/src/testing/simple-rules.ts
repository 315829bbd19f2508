import type { ChannelInput, GatewayRules } from "../gateway-rules.ts";

class Refusal extends Error {}

interface SimpleChannel {
  readonly fields: ChannelInput;
  readonly key: string;
  readonly moreKeys: readonly string[];
}

/** Rules that refuse little, so that a test shows the planner's own decisions. */
export const simpleRules: GatewayRules<SimpleChannel> = {
  isRefusal: (error) => error instanceof Refusal,
  isBcryptHash: (text) => text.startsWith("$2"),
  boundIdAt: (address, id) => `${address} ${id}`,
  readSubnet(list) {
    if (/[g-z]/i.test(list)) throw new Refusal("no network");
    return list;
  },
  readOption: (_key, text) => text,
  checkOptionNeeds(key, _text, options) {
    if (key === "OidcEnabled" && !options.has("OidcClientId")) throw new Refusal("needs a client");
  },
  // A model of the list has the ratio 1; pictures, by their name, are priced each.
  priceOf(ratios, { model, group }) {
    const [own] = ratios.ModelPrices.get(model) ?? [];
    const [modelRatio, completionRatio] = [ratios.ModelRatio.get(model), ratios.CompletionRatio.get(model) ?? 1];
    const price = {
      unit: model.startsWith("picture")
        ? ("image" as const)
        : own?.per_request === undefined
          ? ("token" as const)
          : ("request" as const),
      source: (modelRatio ?? own) === undefined ? ("list" as const) : ("option" as const),
      modelRatio: modelRatio ?? 1,
      completionRatio,
      groupRatio: ratios.GroupRatio.get(group) ?? 1,
      cachedRatio: 0.5,
      cacheWriteRatio: 1.25,
      imageRatio: 1,
      audioRatio: 1,
      audioCompletionRatio: completionRatio,
    };
    const ofInput = price.modelRatio * price.groupRatio;
    return {
      ...price,
      charge({ promptTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens, completionTokens }) {
        if (price.unit === "image") return Math.ceil(1_000 * ofInput);
        const plain = promptTokens - cachedTokens - cacheWriteTokens - longCacheWriteTokens;
        const cached = cachedTokens * 0.5 + cacheWriteTokens * 1.25 + longCacheWriteTokens * 2;
        return Math.ceil((plain + cached + completionTokens * completionRatio) * ofInput);
      },
    };
  },
  checkNewChannels(input) {
    if (input.models === "") throw new Refusal("no model");
    return [{ fields: input, key: input.key, moreKeys: input.more_keys }];
  },
};
