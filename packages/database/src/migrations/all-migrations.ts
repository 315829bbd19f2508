import { accounts } from "./001-accounts.ts";
import { gateway } from "./002-gateway.ts";
import { ledger } from "./003-ledger.ts";
import { logResults } from "./004-log-results.ts";
import { tokenFlags } from "./005-token-flags.ts";
import { balanceDefaults } from "./006-balance-defaults.ts";
import { channelTests } from "./007-channel-tests.ts";
import { balances } from "./008-balances.ts";
import { logGroupTables } from "./009-log-groups.ts";
import { logRemovals } from "./010-log-removals.ts";
import { entry } from "./011-entry.ts";
import { alerts } from "./012-alerts.ts";
import { signIn } from "./013-sign-in.ts";
import { secondFactors } from "./014-second-factors.ts";
import { auditPage } from "./015-audit-page.ts";
import { budgetTables } from "./016-budgets.ts";
import { keptBodyTables } from "./018-kept-bodies.ts";
import { channelDecisionTables } from "./019-channel-decisions.ts";
import { costs } from "./020-costs.ts";
import { usageSums } from "./021-usage-sums.ts";
import { bindingAddresses } from "./022-binding-addresses.ts";
import { priceListTables } from "./023-price-lists.ts";
import { usagePartTables } from "./024-usage-parts.ts";
import { keptObjectTables } from "./030-kept-objects.ts";
import { auditSealTables } from "./031-audit-seals.ts";
import { batchTables } from "./032-batches.ts";
import { usageTokenNumbers } from "./033-usage-tokens.ts";
import { usageOfUsersTogether } from "./034-usage-of-users.ts";
import { batchSizes } from "./035-batch-sizes.ts";
import { sharedViews } from "./036-shared-views.ts";
import { tokenOldKeys } from "./037-token-old-keys.ts";
import { decisionParts } from "./038-decision-parts.ts";
import { logChannels } from "./039-log-channels.ts";
import { callerVersions } from "./041-caller-versions.ts";
import { logChannelGroupTables } from "./042-log-channel-groups.ts";
import { balanceChanges } from "./043-balance-changes.ts";
import { usagePendingTable } from "./045-usage-pending.ts";
import { logTimes } from "./046-log-times.ts";
import { logBatchesInOrder } from "./047-log-batches-in-order.ts";
import { quotaLeases } from "./048-quota-leases.ts";
import { logGroupTextTable } from "./049-log-group-texts.ts";
import { knownIdentities } from "./050-known-identities.ts";
import { idempotentAnswers } from "./051-idempotent-answers.ts";
import { deliveredTokens } from "./052-delivered-tokens.ts";
import { sharesOfOwners } from "./053-shares.ts";
import { logStore } from "./054-log-store.ts";
import { dropLogSummaries } from "./055-drop-log-summaries.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order. New ones go to the end; none is ever changed or taken away. */
export const allMigrations: readonly Migration[] = [
  accounts,
  gateway,
  ledger,
  logResults,
  tokenFlags,
  balanceDefaults,
  channelTests,
  balances,
  logGroupTables,
  logRemovals,
  entry,
  alerts,
  signIn,
  secondFactors,
  auditPage,
  budgetTables,
  keptBodyTables,
  channelDecisionTables,
  costs,
  usageSums,
  bindingAddresses,
  priceListTables,
  usagePartTables,
  keptObjectTables,
  auditSealTables,
  batchTables,
  usageTokenNumbers,
  usageOfUsersTogether,
  batchSizes,
  sharedViews,
  tokenOldKeys,
  decisionParts,
  logChannels,
  callerVersions,
  logChannelGroupTables,
  balanceChanges,
  usagePendingTable,
  logTimes,
  logBatchesInOrder,
  quotaLeases,
  logGroupTextTable,
  knownIdentities,
  idempotentAnswers,
  deliveredTokens,
  sharesOfOwners,
  logStore,
  dropLogSummaries,
];
