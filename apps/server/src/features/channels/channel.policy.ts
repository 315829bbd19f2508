import { CHANNEL_LIMITS, CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import {
  CHANNEL_TYPES,
  channelTypeInfo,
  effectiveOther,
  isChannelType,
} from "@one-api/contract/channels/channel-types";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type ChannelLack, findLack, LACKS } from "@one-api/contract/channels/channel-needs";
import type { ErrorCode } from "@one-api/contract/error-codes";
import { joinList, splitList } from "@one-api/contract/texts";
import { AppError } from "../../core/app-error.ts";
import { checkBaseUrl, checkDialectUrls } from "./base-url.policy.ts";
import { readDialectUrls } from "./channel-config.ts";
import type { ChannelFields, ChannelRow } from "./channel.repository.ts";

const DEFAULT_GROUP = "default";

/** Most pairs of group and model that one call writes: on SQLite other writes wait for it. */
export const MAX_INDEX_ROWS = 200_000;

const SETTABLE: readonly number[] = [CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabled, CHANNEL_STATUS.reserve];

/** Normalizes and checks the fields of `count` new channels. Throws refusals that name the field and the fix. */
export function tidyChannel(fields: ChannelFields, count: number): ChannelFields {
  const { type } = fields;
  if (!isChannelType(type)) throw unknownType(type);
  const models = splitList(joinList(splitList(fields.models)));
  if (models.length === 0 && channelTypeInfo(type)?.needsNoModels !== true) {
    throw new AppError("channel-models-missing", "Choose at least one model.", { field: "models" });
  }
  const groups = splitList(joinList(splitList(fields.group || DEFAULT_GROUP)));
  const pairs = count * models.length * groups.length;
  if (pairs > MAX_INDEX_ROWS) {
    const message = `The channels would serve ${pairs} pairs of group and model, more than ${MAX_INDEX_ROWS}. Save fewer at once.`;
    throw new AppError("channel-too-many-pairs", message, {
      field: "models",
      values: { pairs, limit: MAX_INDEX_ROWS },
    });
  }
  checkBaseUrl(type, fields.base_url);
  checkDialectUrls(readDialectUrls(fields.dialect_urls));
  checkTags(fields.tags);
  return {
    ...fields,
    models: models.join(","),
    group: groups.length === 0 ? DEFAULT_GROUP : groups.join(","),
    other: effectiveOther(type, fields.other),
  };
}

function checkTags(tags: string): void {
  const count = splitList(tags).length;
  const limit = CHANNEL_LIMITS.tags;
  if (count <= limit) return;
  const message = `The channel would have ${count} tags, more than ${limit}. Take some away.`;
  throw new AppError("channel-too-many-tags", message, { field: "tags", values: { count, limit } });
}

export function isSettableStatus(status: number): boolean {
  return SETTABLE.includes(status);
}

/** Throws `channel-status-not-settable` for a state that only the gateway sets. */
export function checkSettableStatus(status: number): void {
  if (isSettableStatus(status)) return;
  throw new AppError(
    "channel-status-not-settable",
    "status must be 1 (enabled), 2 (disabled) or 5 (reserve); the gateway sets 3 and 4 itself.",
    { field: "status", values: { status } },
  );
}

const HOST_PART = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Throws `channel-region-form` for a region that would change the host that receives the key. */
export function checkRegion(region: string | undefined): void {
  if (region === undefined || region === "" || HOST_PART.test(region)) return;
  throw new AppError(
    "channel-region-form",
    "config: region must be a name such as us-east-1, of letters, digits and hyphens.",
    { field: "config" },
  );
}

const CODE_OF_LACK = {
  "base-url": "channel-base-url-missing",
  "account-id": "channel-account-id-missing",
  project: "channel-project-missing",
  region: "channel-region-missing",
  "known-region": "channel-region-unknown",
  "knowledge-base": "channel-knowledge-base-missing",
} as const satisfies Record<ChannelLack, ErrorCode>;

/** Refuses a channel without a value that its provider requires. `connection` has the secrets in clear. */
export function checkCallable(type: number, connection: ChannelConnection): void {
  const lack = findLack(type, connection);
  if (lack === undefined) return;
  const { field, fix } = LACKS[lack];
  throw new AppError(CODE_OF_LACK[lack], fix, { field });
}

/** True if the channel has reached its spending limit. `quotaPerUnit` is the quota of one dollar. */
export function hasSpentLimit(
  channel: Pick<ChannelRow, "soft_limit_usd" | "used_quota" | "soft_limit_base_quota">,
  quotaPerUnit: number,
): boolean {
  const spent = channel.used_quota - channel.soft_limit_base_quota;
  return channel.soft_limit_usd > 0 && spent >= channel.soft_limit_usd * quotaPerUnit;
}

export function keyNeeded(typeChanged: boolean): AppError {
  return typeChanged
    ? new AppError(
        "channel-key-for-new-type",
        "Type the key again: the stored key was meant for another type of channel.",
        { field: "key" },
      )
    : new AppError(
        "channel-key-for-new-address",
        "Type the key again: an address changed, and a stored key is never sent to a new address.",
        { field: "key" },
      );
}

export function channelNotFound(id: number): AppError {
  return new AppError("channel-not-found", "There is no such channel.", { values: { id } });
}

function unknownType(type: number): AppError {
  const known = CHANNEL_TYPES.map((info) => `${info.type} ${info.label}`).join(", ");
  return new AppError("channel-type-unknown", `type ${type} is no kind of channel. Choose one of: ${known}.`, {
    field: "type",
    values: { type },
  });
}
