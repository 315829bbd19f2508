import type {
  KnownIdentitiesTable,
  ManagementKeysTable,
  RedemptionsTable,
  TokenBalancesView,
  TokensTable,
  UserBalancesView,
  UsersTable,
} from "./account-tables.ts";
import type { AuditChecksTable, AuditSealsTable, AuditTable } from "./audit-tables.ts";
import type { BatchesTable } from "./batch-tables.ts";
import type {
  ChannelDecisionsTable,
  ChannelKeysTable,
  ChannelModelsTable,
  ChannelsTable,
  StoredObjectsTable,
} from "./channel-tables.ts";
import type {
  EmailCodesTable,
  LoginStepsTable,
  IdempotentAnswersTable,
  InvitationsTable,
  LoginFailuresTable,
  OAuthStatesTable,
  PasskeysTable,
  RecoveryCodesTable,
  RequestCountsTable,
  SessionsTable,
  TotpFactorsTable,
} from "./entry-tables.ts";
import type {
  BudgetsTable,
  BudgetUsesView,
  BudgetWindowsTable,
  CheckpointsTable,
  LedgerEntriesTable,
  OwnersTable,
  SharesTable,
} from "./ledger-tables.ts";
import type {
  DefaultViewsTable,
  StoredBodiesTable,
  ClearedUsageTable,
  LogChangesTable,
  LogsTable,
  SavedViewsTable,
} from "./log-tables.ts";
import type {
  AlertDeliveriesTable,
  AlertReceiversTable,
  AlertStatesTable,
  OutboxTable,
  PendingAlertsTable,
} from "./message-tables.ts";
import type { ServersTable } from "./server-tables.ts";
import type { Generated } from "kysely";
import type { Flag, UnixSeconds } from "./column-values.ts";

interface PriceListsTable {
  version: string;
  in_use: Flag;
  fetched_at: UnixSeconds;
  /** The program's version at that time. */
  program: string;
  /** JSON in the form of genai-prices without unused fields, or prices by name over such a list. */
  data: string;
  /** JSON: changes that wait for an administrator, or for a day. */
  waiting: Generated<string>;
}

/** Key/value settings; secret values are AES-256-GCM. */
interface OptionsTable {
  key: string;
  value: string;
}

/** All tables. Columns `*_cipher` are AES-256-GCM, `*_hmac` HMAC-SHA-256, `*_hash` SHA-256 or, for codes, an HMAC. */
export interface Tables {
  users: UsersTable;
  user_balances: UserBalancesView;
  sessions: SessionsTable;
  login_failures: LoginFailuresTable;
  totp_factors: TotpFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  login_steps: LoginStepsTable;
  email_codes: EmailCodesTable;
  oauth_states: OAuthStatesTable;
  idempotent_answers: IdempotentAnswersTable;
  management_keys: ManagementKeysTable;
  invitations: InvitationsTable;
  request_counts: RequestCountsTable;
  outbox: OutboxTable;
  pending_alerts: PendingAlertsTable;
  price_lists: PriceListsTable;
  alert_states: AlertStatesTable;
  alert_receivers: AlertReceiversTable;
  alert_deliveries: AlertDeliveriesTable;
  known_identities: KnownIdentitiesTable;
  tokens: TokensTable;
  token_balances: TokenBalancesView;
  channels: ChannelsTable;
  channel_keys: ChannelKeysTable;
  channel_decisions: ChannelDecisionsTable;
  channel_models: ChannelModelsTable;
  redemptions: RedemptionsTable;
  logs: LogsTable;
  log_changes: LogChangesTable;
  cleared_usage: ClearedUsageTable;
  options: OptionsTable;
  ledger_entries: LedgerEntriesTable;
  owners: OwnersTable;
  servers: ServersTable;
  shares: SharesTable;
  checkpoints: CheckpointsTable;
  budgets: BudgetsTable;
  budget_windows: BudgetWindowsTable;
  budget_uses: BudgetUsesView;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  audit_checks: AuditChecksTable;
  stored_bodies: StoredBodiesTable;
  saved_views: SavedViewsTable;
  default_views: DefaultViewsTable;
  stored_objects: StoredObjectsTable;
  batches: BatchesTable;
}
