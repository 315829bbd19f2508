import type { GatewayRules } from "@one-api/importer/gateway-rules";
import { AppError } from "../core/app-error.ts";
import { type CheckedChannel, checkNewChannels } from "../features/channels/index.ts";
import { checkOptionNeeds, readOption } from "../features/options/index.ts";
import { readSubnet } from "../features/tokens/index.ts";
import { boundIdAt, isBcryptHash } from "../features/users/index.ts";

/** The features' rules, for the planner of an import. */
export const gatewayRules: GatewayRules<CheckedChannel> = {
  isRefusal: (error) => error instanceof AppError,
  isBcryptHash,
  boundIdAt,
  readSubnet,
  readOption: (key, text) => readOption(key, text).text,
  checkOptionNeeds,
  checkNewChannels,
};
