import type { ChannelInput, GatewayRules } from "../gateway-rules.ts";

class Refusal extends Error {}

interface SimpleChannel {
  readonly fields: ChannelInput;
  readonly key: string;
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
  checkNewChannels(input) {
    if (input.models === "") throw new Refusal("no model");
    return input.key.split("\n").map((key) => ({ fields: input, key }));
  },
};
