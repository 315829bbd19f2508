import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { CheckedChannel, GatewayRules } from "./gateway-rules.ts";
import { ImportError } from "./import-error.ts";
import { createImportFindings, type ImportFindings } from "./import-findings.ts";
import type { OldProduct, OldServer } from "./old-server.ts";
import { type PlannedChannel, planChannels } from "./plan-channels.ts";
import { readOldPrices } from "./money/old-prices.ts";
import { planPrices, setPricesOf } from "./plan-prices.ts";
import { type PlannedRedemption, planRedemptions } from "./plan-redemptions.ts";
import { type PlannedSettings, planSettings } from "./plan-settings.ts";
import { type PlannedToken, planTokens } from "./plan-tokens.ts";
import { type PlannedUser, planUsers } from "./plan-users.ts";

/** All checked rows of an import, with secrets in clear text. */
export interface ImportPlan<Channel extends CheckedChannel = CheckedChannel> {
  readonly product: OldProduct;
  readonly settings: PlannedSettings;
  readonly users: ReadonlyMap<number, PlannedUser>;
  readonly tokens: readonly PlannedToken[];
  readonly channels: readonly PlannedChannel<Channel>[];
  readonly redemptions: readonly PlannedRedemption[];
  readonly rootId: number;
  readonly findings: ImportFindings;
}

/** Decides which rows are imported, and how. Throws ImportError without an enabled super administrator. `now` in Unix seconds. */
export function planImport<Channel extends CheckedChannel>(
  old: OldServer,
  rules: GatewayRules<Channel>,
  now: number,
): ImportPlan<Channel> {
  const findings = createImportFindings();
  const prices = readOldPrices(old.options);
  const settings = planPrices(planSettings(old.options, rules, findings), prices, rules, findings);
  const users = planUsers(old, settings, { rules, findings });
  const root = [...users.values()].find(({ role, status }) => role === ROLE.root && status === USER_STATUS.enabled);
  if (root === undefined)
    throw new ImportError(
      "The old database has no super administrator who is enabled: nobody could administrate the new server.",
    );
  return {
    product: old.product,
    settings,
    users,
    tokens: planTokens(old.tokens, users, {
      rules,
      findings,
      now,
      prices,
      groupRatios: setPricesOf(settings).GroupRatio,
    }),
    channels: planChannels(old, rules, findings),
    redemptions: planRedemptions(old.redemptions, { users, rootId: root.id, findings, now }),
    rootId: root.id,
    findings,
  };
}
