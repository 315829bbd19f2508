import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token";
import { AppError } from "../../core/app-error.ts";
import type { TokenRow } from "./token.repository.ts";

/** What decides whether a token can be used. */
export type TokenState = Pick<TokenRow, "status" | "expired_time" | "remain_quota" | "unlimited_quota">;

/** The status at a moment: a token that is not disabled expires by its time and is exhausted by its quota. `now` in Unix seconds. */
export function statusAt(token: TokenState, now: number): number {
  if (token.status === TOKEN_STATUS.disabled) return TOKEN_STATUS.disabled;
  if (token.expired_time !== NEVER_EXPIRES && token.expired_time <= now) return TOKEN_STATUS.expired;
  if (token.unlimited_quota === 0 && token.remain_quota === 0) return TOKEN_STATUS.exhausted;
  return TOKEN_STATUS.enabled;
}

/** Throws `token-expired` or `token-exhausted`, with the fix, when the token could not be used although it was enabled. */
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

/** Throws `token-quota-above-own` when a limited token would get more than its owner has. */
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

/** Throws `token-bodies-off` when a token would begin to keep bodies although that is not allowed. */
export function checkMayKeepBodies(wanted: boolean | undefined, before: 0 | 1, isAllowed: boolean): void {
  if (wanted !== true || before === 1 || isAllowed) return;
  throw new AppError(
    "token-bodies-off",
    "keep_bodies cannot be switched on: ask an administrator to allow it by the option LogBodiesEnabled.",
    { field: "keep_bodies" },
  );
}

/** The refusal to end a key that has ended or never was. */
export function noOldKey(): AppError {
  return new AppError("token-no-old-key", "No older key of this token goes on: only its present key works.");
}

/** The refusal of a token that is not there, or is somebody else's: nobody learns which. */
export function tokenNotFound(): AppError {
  return new AppError("token-not-found", "There is no such token.");
}
