import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { LAST_SECOND, TOKEN_KEY_PREFIX } from "@one-api/contract/constants";
import { joinList, splitList } from "@one-api/contract/texts";
import { NEVER_EXPIRES, TOKEN_LIMITS, TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { GatewayRules } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { flagOf, isDeleted, quotaOf, textOf, wholeOf } from "./old-row.ts";
import { type OldPrices, oldGroupRatio } from "./money/old-prices.ts";
import type { PlannedUser } from "./plan-users.ts";

const NOUN = "token";

/** A token to be written, its key in clear text; ids do not change. */
export interface PlannedToken {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly key: string;
  readonly status: number;
  readonly created_time: number;
  readonly expired_time: number;
  readonly isUnlimited: boolean;
  readonly models: string;
  readonly group: string;
  readonly subnet: string;
  readonly rpm_limit: number;
  readonly dpm_limit: number;
  readonly tpm_limit: number;
  readonly email: string;
  readonly custom_contact: string;
  readonly moderates: boolean;
  readonly remaining: number;
  readonly used: number;
  readonly lastUsedAt: number;
}

type Rules = Pick<GatewayRules, "isRefusal" | "readSubnet">;

interface Planning {
  readonly rules: Rules;
  readonly users: ReadonlyMap<number, PlannedUser>;
  readonly findings: ImportFindings;
  readonly prices: OldPrices;
  /** Of the new server, by group. */
  readonly groupRatios: ReadonlyMap<string, number>;
  readonly now: number;
  readonly keys: Set<string>;
}

/** Returns the tokens of imported users. `now` in Unix seconds. */
export function planTokens(
  rows: readonly ForeignRow[],
  users: ReadonlyMap<number, PlannedUser>,
  parts: Omit<Planning, "users" | "keys">,
): PlannedToken[] {
  const planning = { ...parts, users, keys: new Set<string>() };
  return rows.flatMap((row) => {
    const token = planToken(row, planning);
    return token === undefined ? [] : [token];
  });
}

function planToken(row: ForeignRow, planning: Planning): PlannedToken | undefined {
  const { users, findings, keys } = planning;
  const [id, userId, key] = [wholeOf(row, "id"), wholeOf(row, "user_id"), keyOf(row)];
  const name = textOf(row, "name").replaceAll(UNPRINTABLE, " ").slice(0, TOKEN_LIMITS.nameLength) || `token ${id}`;
  if (isDeleted(row)) {
    findings.skipDeleted(NOUN);
    return undefined;
  }
  const owner = users.get(userId);
  const refusal = refusalOf(key, owner, keys);
  if (refusal !== undefined || owner === undefined) {
    findings.leaveOut(NOUN, `${name} (${id})`, refusal ?? "");
    return undefined;
  }
  keys.add(key);
  const full = `${name} of ${owner.username}`;
  const group = groupOf(row, owner, planning);
  const remaining = quotaOf(row, "remain_quota");
  return {
    id,
    userId,
    name,
    key,
    ...limitsAndStatusOf(row, full, planning),
    group,
    created_time: Math.max(0, wholeOf(row, "created_time")),
    expired_time: expiryOf(row),
    isUnlimited: flagOf(row, "unlimited_quota"),
    ...limitsOf(row),
    remaining,
    used: Math.min(quotaOf(row, "used_quota"), Number.MAX_SAFE_INTEGER - remaining),
    lastUsedAt: Math.max(0, wholeOf(row, "accessed_time")),
  };
}

function keyOf(row: ForeignRow): string {
  const key = textOf(row, "key");
  return key.startsWith(TOKEN_KEY_PREFIX) ? key.slice(TOKEN_KEY_PREFIX.length) : key;
}

function refusalOf(key: string, owner: PlannedUser | undefined, keys: ReadonlySet<string>): string | undefined {
  if (owner === undefined) return "its owner does not come over";
  if (key === "") return "it has no key";
  // Callers name a channel behind a hyphen.
  if (!/^[^\s-]+$/.test(key)) return "its key has a hyphen or a blank, so that nobody could call with it";
  return keys.has(key) ? "another token has the same key" : undefined;
}

/**
 * Expired and exhausted tokens stay unusable in both products until they are enabled by hand. Here, expiry and quota decide; a token that would become
 * usable is disabled.
 */
function statusOf(row: ForeignRow, now: number): number {
  const expiry = expiryOf(row);
  const isOver = expiry !== NEVER_EXPIRES && expiry <= now;
  const isEmpty = !flagOf(row, "unlimited_quota") && quotaOf(row, "remain_quota") === 0;
  switch (wholeOf(row, "status", 1)) {
    case TOKEN_STATUS.enabled:
      return TOKEN_STATUS.enabled;
    case TOKEN_STATUS.expired:
      return isOver ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled;
    case TOKEN_STATUS.exhausted:
      return isEmpty ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled;
    default:
      return TOKEN_STATUS.disabled;
  }
}

function expiryOf(row: ForeignRow): number {
  const time = wholeOf(row, "expired_time", NEVER_EXPIRES);
  return time < 0 || time > LAST_SECOND ? NEVER_EXPIRES : time;
}

/** Returns the token's limits and status. A token whose limits cannot be read is disabled. */
function limitsAndStatusOf(row: ForeignRow, name: string, { rules, findings, now }: Planning) {
  const limitsModels = flagOf(row, "model_limits_enabled");
  const models = joinList(splitList(textOf(row, limitsModels ? "model_limits" : "models")));
  const networks = [...splitList(textOf(row, "subnet")), ...textOf(row, "allow_ips").split(/[\s,]+/)];
  const limits = { models, subnet: "", status: statusOf(row, now) };
  const disable = (reason: string) => {
    findings.change(NOUN, name, `is disabled: ${reason}`);
    return { ...limits, status: TOKEN_STATUS.disabled };
  };
  if (limitsModels && models === "") return disable("it was bound to models, and none is named");
  try {
    return { ...limits, subnet: rules.readSubnet(joinList(networks)) };
  } catch (error) {
    if (!rules.isRefusal(error)) throw error;
    return disable(error.message);
  }
}

function limitsOf(row: ForeignRow) {
  const perMinute = (column: string) => Math.min(quotaOf(row, column), TOKEN_LIMITS.perMinute);
  return {
    rpm_limit: perMinute("rpm_limit"),
    dpm_limit: perMinute("dpm_limit"),
    tpm_limit: perMinute("tpm_limit"),
    email: textOf(row, "email").slice(0, TOKEN_LIMITS.contactLength),
    custom_contact: textOf(row, "custom_contact").slice(0, TOKEN_LIMITS.contactLength),
    moderates: flagOf(row, "moderations_enable"),
  };
}

/** Returns the token's group, if it is one of its owner's. Reports any other one, with the change of its price. */
function groupOf(
  row: ForeignRow,
  owner: PlannedUser,
  { findings, prices, groupRatios }: Pick<Planning, "findings" | "prices" | "groupRatios">,
): string {
  const group = textOf(row, "group");
  const [ofUser = "default"] = splitList(owner.group);
  if (group === "" || splitList(owner.group).includes(group)) return group;
  const here = groupRatios.get(ofUser) ?? 1;
  const there = oldGroupRatio(prices, { ofUser, ofToken: group });
  const price =
    group === AUTOMATIC_GROUP
      ? `the ratio is ${here}`
      : there === here
        ? `the ratio is the same, ${here}`
        : `the ratio is ${here} instead of ${there}`;
  findings.changeAlike(
    NOUN,
    wholeOf(row, "id"),
    `had the group ${group}: here its owner's group counts, ${owner.group}, and ${price}`,
  );
  return "";
}

/** Group of new-api's tokens that uses the first group with a channel. */
const AUTOMATIC_GROUP = "auto";
