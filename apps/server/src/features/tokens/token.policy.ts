import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { splitList } from "@one-api/contract/texts";
import { groupsOfUser } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import type { TokenRow } from "./token.repository.ts";

export type TokenState = Pick<TokenRow, "status" | "expired_time" | "remain_quota" | "unlimited_quota">;

/** Status at a time (Unix seconds). A token that is not disabled expires by time and is exhausted by quota. */
export function statusAt(token: TokenState, now: number): number {
  if (token.status === TOKEN_STATUS.disabled) return TOKEN_STATUS.disabled;
  if (token.expired_time !== NEVER_EXPIRES && token.expired_time <= now) return TOKEN_STATUS.expired;
  if (token.unlimited_quota === 0 && token.remain_quota === 0) return TOKEN_STATUS.exhausted;
  return TOKEN_STATUS.enabled;
}

/** Throws `token-expired` or `token-exhausted`, with the fix, if the token would be unusable when enabled. */
export function checkCanEnable(token: TokenState, now: number): void {
  const status = statusAt({ ...token, status: TOKEN_STATUS.enabled }, now);
  if (status === TOKEN_STATUS.expired) {
    throw new AppError("token-expired", "The token has expired. Set a later expiry time, or none, then enable it.", {
      field: "expired_time",
    });
  }
  if (status === TOKEN_STATUS.exhausted) {
    throw new AppError(
      "token-exhausted",
      "The token's quota is used up. Raise it, or make it unlimited, then enable it.",
      {
        field: "remain_quota",
      },
    );
  }
}

/** Throws `token-quota-above-own` if a limited token would get more than its owner has. */
export function checkOwnerCovers(
  token: Pick<TokenState, "remain_quota" | "unlimited_quota">,
  ownerQuota: number,
): void {
  if (token.unlimited_quota === 1 || token.remain_quota <= ownerQuota) return;
  throw new AppError(
    "token-quota-above-own",
    `The token would have ${token.remain_quota} quota left, but your own quota is ${ownerQuota}. Give it at most ${ownerQuota}, or switch on unlimited quota.`,
    { field: "remain_quota", values: { quota: token.remain_quota, own: ownerQuota } },
  );
}

/** Throws `token-bodies-off` if a token would start to store bodies without permission. */
export function checkMayStoreBodies(wanted: boolean | undefined, before: 0 | 1, isAllowed: boolean): void {
  if (wanted !== true || before === 1 || isAllowed) return;
  throw new AppError(
    "token-bodies-off",
    "keep_bodies cannot be switched on: ask an administrator to allow it by the option LogBodiesEnabled.",
    { field: "keep_bodies" },
  );
}

/** Throws `token-group-not-own` for a group that its owner is not in. Groups in `before`, the token's present list, are exempt. */
export function checkOwnGroups(group: string, ofOwner: string, before = ""): void {
  const own = groupsOfUser(ofOwner);
  const foreign = splitList(group).find((name) => !own.includes(name) && !splitList(before).includes(name));
  if (foreign === undefined) return;
  throw new AppError("token-group-not-own", `You are not in the group ${foreign}. Choose among: ${own.join(", ")}.`, {
    field: "group",
    values: { group: foreign, own: own.join(", ") },
  });
}

export function noOldKey(): AppError {
  return new AppError("token-no-old-key", "No older key of this token goes on: only its present key works.");
}

/** The same refusal for missing tokens and those of other users. */
export function tokenNotFound(): AppError {
  return new AppError("token-not-found", "There is no such token.");
}
