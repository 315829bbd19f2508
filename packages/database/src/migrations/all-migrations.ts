import { alertMarks } from "./alert-marks.ts";
import { alertReceivers } from "./alert-receivers.ts";
import { alertRules } from "./alert-rules.ts";
import { aliasFacts } from "./alias-facts.ts";
import { auditSearch } from "./audit-search.ts";
import { baseline } from "./baseline.ts";
import { channelChecks } from "./channel-checks.ts";
import { channelDeadlines } from "./channel-deadlines.ts";
import { channelDialectUrls } from "./channel-dialect-urls.ts";
import { channelKeyBalances } from "./channel-key-balances.ts";
import { channelKeyHints } from "./channel-key-hints.ts";
import { channelKeys } from "./channel-keys.ts";
import { channelOverrides } from "./channel-overrides.ts";
import { channelProxy } from "./channel-proxy.ts";
import { channelSchedules } from "./channel-schedules.ts";
import { logAliases } from "./log-aliases.ts";
import { managementKeys } from "./management-keys.ts";
import { groupBudgets } from "./group-budgets.ts";
import { keyExpiry } from "./key-expiry.ts";
import type { Migration, MigrationStep } from "./migration.ts";
import { rateLimits } from "./rate-limits.ts";
import { serverReports } from "./server-reports.ts";
import { tokenGroups } from "./token-groups.ts";
import { waitingPrices } from "./waiting-prices.ts";

/** Append new ones; never change or remove a released one. */
const STEPS: readonly MigrationStep[] = [
  baseline,
  rateLimits,
  serverReports,
  channelProxy,
  channelChecks,
  alertReceivers,
  tokenGroups,
  channelOverrides,
  managementKeys,
  channelDeadlines,
  waitingPrices,
  channelKeys,
  channelDialectUrls,
  alertMarks,
  keyExpiry,
  channelSchedules,
  logAliases,
  alertRules,
  groupBudgets,
  channelKeyBalances,
  aliasFacts,
  auditSearch,
  channelKeyHints,
];

/** All migrations in order. The place of a step in the list is its number. */
export const allMigrations: readonly Migration[] = STEPS.map((step, index) => ({ number: index + 1, ...step }));
