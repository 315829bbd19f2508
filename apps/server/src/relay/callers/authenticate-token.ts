import { TOKEN_KEY_PREFIX } from "@one-api/contract/constants";
import { isAdmin } from "@one-api/contract/accounts/roles";
import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { RelayError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";

export interface PresentedKey {
  readonly key: string;
  readonly channel: string | undefined;
}

/** Reads `sk-KEY` or `sk-KEY-CHANNELID`; the prefix is optional. Throws a 401 RelayError without a key. */
export function readPresentedKey(bare: string): PresentedKey {
  const text = bare.startsWith(TOKEN_KEY_PREFIX) ? bare.slice(TOKEN_KEY_PREFIX.length) : bare;
  const end = text.indexOf("-");
  const key = end === -1 ? text : text.slice(0, end);
  if (key === "") {
    throw unauthorized("No API key was sent. Send it as the header Authorization: Bearer sk-….", "missing_api_key");
  }
  return { key, channel: end === -1 ? undefined : text.slice(end + 1) };
}

/** Throws a RelayError (401 or 403) if the key is unknown, or not valid now or from this address. */
export function checkCaller(caller: Caller | undefined, address: string, nowMs: number): Caller {
  if (caller === undefined) throw unknownKey();
  if (caller.tokenStatus === TOKEN_STATUS.disabled) throw unauthorized("This API key is disabled.", "token_disabled");
  if (isOver(caller.keyEndsAt, nowMs))
    throw unauthorized("This API key was replaced by a newer one of its token. Use that one.", "key_replaced");
  if (isOver(caller.expiredTime, nowMs)) throw unauthorized("This API key has expired.", "token_expired");
  if (caller.userStatus !== USER_STATUS.enabled)
    throw forbidden("The account of this API key is disabled.", "account_disabled");
  if (caller.groups.length === 0) {
    throw forbidden(
      "The account of this API key has left the groups that the key names. Choose its groups again.",
      "group_not_allowed",
    );
  }
  if (!isInside(caller, address)) {
    throw forbidden("This API key may not be used from this network address.", "network_not_allowed");
  }
  return caller;
}

export function unknownKey(): RelayError {
  return unauthorized("This API key is not known here. Check it for typing errors.", "invalid_api_key");
}

/** Throws RelayError for an invalid id, and unless the caller is an administrator. */
export function readPinnedChannel(presented: PresentedKey, caller: Caller): number | undefined {
  if (presented.channel === undefined) return undefined;
  if (!isAdmin(caller.userRole))
    throw forbidden("Only administrators may name a channel behind the key.", "channel_not_allowed");
  if (!/^[1-9]\d{0,14}$/.test(presented.channel)) {
    throw new RelayError({
      status: 400,
      code: "invalid_channel",
      message: "What follows the key is no channel id. Write sk-KEY-CHANNELID, or the key alone.",
    });
  }
  return Number(presented.channel);
}

/** `endsAt` in Unix seconds. */
function isOver(endsAt: number, nowMs: number): boolean {
  return endsAt !== NEVER_EXPIRES && endsAt * 1000 <= nowMs;
}

function isInside(caller: Caller, address: string): boolean {
  return caller.networks === undefined || caller.networks.has(address);
}

function unauthorized(message: string, code: string): RelayError {
  return new RelayError({ status: 401, type: "invalid_request_error", code, message });
}

function forbidden(message: string, code: string): RelayError {
  return new RelayError({ status: 403, type: "invalid_request_error", code, message });
}
