import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user";
import { StartError } from "../config.ts";
import { createImportFindings, type ImportFindings } from "./import-findings.ts";
import type { OldProduct, OldServer } from "./old-server.ts";
import { type PlannedChannel, planChannels } from "./plan-channels.ts";
import { type PlannedRedemption, planRedemptions } from "./plan-redemptions.ts";
import { type PlannedSettings, planSettings } from "./plan-settings.ts";
import { type PlannedToken, planTokens } from "./plan-tokens.ts";
import { type PlannedUser, planUsers } from "./plan-users.ts";

/** Everything that comes over from an old server, checked; its secrets in clear. */
export interface ImportPlan {
  readonly product: OldProduct;
  readonly settings: PlannedSettings;
  readonly users: ReadonlyMap<number, PlannedUser>;
  readonly tokens: readonly PlannedToken[];
  readonly channels: readonly PlannedChannel[];
  readonly redemptions: readonly PlannedRedemption[];
  /** The first super administrator who can log in. */
  readonly rootId: number;
  readonly findings: ImportFindings;
}

/** Decides what of an old server comes over, and how. Throws StartError where nobody could administrate the result. `now` in Unix seconds. */
export function planImport(old: OldServer, now: number): ImportPlan {
  const findings = createImportFindings();
  const settings = planSettings(old.options, findings);
  const users = planUsers(old, settings, findings);
  const root = [...users.values()].find(({ role, status }) => role === ROLE.root && status === USER_STATUS.enabled);
  if (root === undefined)
    throw new StartError(
      "The old database has no super administrator who is enabled: nobody could administrate the new server.",
    );
  return {
    product: old.product,
    settings,
    users,
    tokens: planTokens(old.tokens, users, { findings, now }),
    channels: planChannels(old, findings),
    redemptions: planRedemptions(old.redemptions, { users, rootId: root.id, findings, now }),
    rootId: root.id,
    findings,
  };
}
