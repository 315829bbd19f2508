import { joinList, splitList } from "@one-api/contract/texts";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { updateTokenInputSchema } from "@one-api/contract/token";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { pickChangedLimits } from "../limits/index.ts";
import { readSubnet } from "./read-subnet.ts";
import { statusAt, type TokenState } from "./token.policy.ts";
import type { TokenChanges, TokenRow } from "./token.repository.ts";

export type TokenEditInput = z.output<typeof updateTokenInputSchema>;

export interface TokenEdit {
  readonly changes: TokenChanges;
  readonly after: TokenState;
  readonly enables: boolean;
}

/**
 * Computes an edit. Only statuses 1 and 2 are applied: forms repeat 3 and 4. `now` in Unix seconds.
 * Throws `token-recharge-too-big` and `token-subnet`.
 */
export function editToken(before: TokenRow, input: TokenEditInput, quotaPerUnit: number, now: number): TokenEdit {
  const after: TokenState = {
    expired_time: input.expired_time ?? before.expired_time,
    unlimited_quota: flagOf(input.unlimited_quota) ?? before.unlimited_quota,
    remain_quota: remainQuotaAfter(before, input, quotaPerUnit),
    status: statusAfter(before, input),
  };
  const changes = definedOnly({
    name: input.name,
    models: input.models === undefined ? undefined : joinList(splitList(input.models)),
    group: input.group === undefined ? undefined : joinList(splitList(input.group)),
    subnet: input.subnet === undefined ? undefined : readSubnet(input.subnet),
    ...pickChangedLimits(input),
    email: input.email,
    custom_contact: input.custom_contact,
    moderations_enable: flagOf(input.moderations_enable),
    keep_bodies: flagOf(input.keep_bodies),
    expired_time: input.expired_time,
    unlimited_quota: flagOf(input.unlimited_quota),
    status: after.status === before.status ? undefined : after.status,
  });
  const enables = input.status === TOKEN_STATUS.enabled && statusAt(before, now) !== TOKEN_STATUS.enabled;
  return { changes, after, enables };
}

function statusAfter(before: TokenRow, input: TokenEditInput): number {
  if (input.status === TOKEN_STATUS.enabled || input.status === TOKEN_STATUS.disabled) return input.status;
  return before.status === TOKEN_STATUS.disabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled;
}

function remainQuotaAfter(before: TokenRow, input: TokenEditInput, quotaPerUnit: number): number {
  const recharge = Math.round((input.recharge_quota ?? 0) * quotaPerUnit);
  const remain = (input.remain_quota ?? before.remain_quota) + recharge;
  if (Number.isSafeInteger(remain)) return remain;
  throw new AppError(
    "token-recharge-too-big",
    `recharge_quota would leave more than ${Number.MAX_SAFE_INTEGER} quota. Add fewer dollars.`,
    { field: "recharge_quota", values: { limit: Number.MAX_SAFE_INTEGER } },
  );
}

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (isDefined(value)) defined[name] = value;
  }
  return defined;
}

function isDefined<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined;
}
