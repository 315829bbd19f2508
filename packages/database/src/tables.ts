import type { BatchesTable } from "./batch-tables.ts";
import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";
import type { AuditChecksTable, AuditSealsTable, AuditTable } from "./audit-tables.ts";
import type {
  EmailCodesTable,
  EntryStepsTable,
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
  DefaultViewsTable,
  KeptBodiesTable,
  LogBatchesTable,
  LogGroupsTable,
  LogNamesTable,
  SavedViewsTable,
} from "./log-tables.ts";

/** People; what they can spend stands in `user_balances`. */
export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** argon2id in PHC form; empty when the account has no password. */
  password_hash: string;
  /** 1 while root still has the first-start password. */
  password_is_default: Generated<Flag>;
  display_name: string;
  role: number;
  status: number;
  email: string;
  github_id: string;
  wechat_id: string;
  lark_id: string;
  /** Issuer and subject at the OpenID Connect provider, with a space between. */
  oidc_id: Generated<string>;
  /** SHA-256 of the system access token; null without one. */
  access_token_hash: string | null;
  /** 0 without one, and for those made by older versions. */
  access_token_created_at: Generated<UnixSeconds>;
  /** 0 while it was never used. */
  access_token_used_at: Generated<UnixSeconds>;
  /** Comma-separated; empty means default. */
  group: string;
  aff_code: string | null;
  inviter_id: number | null;
  created_at: UnixSeconds;
  /** What mails to them are written in, by what their browser asked for last; empty for unknown. */
  language: Generated<string>;
}

/** What a user can spend and has spent: one narrow row a user, since every charge writes it. */
export interface UserBalancesTable {
  user_id: number;
  /** What is left to spend, holds that are rows taken off. */
  remaining: Generated<Quota>;
  used: Generated<Quota>;
  /** Requests that were charged, free ones among them. */
  requests: Generated<number>;
}

/** Messages that are to be sent. A row goes when it has been sent, or when it is given up. */
export interface OutboxTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** An e-mail address; empty for root, by the way that is set when it is sent. */
  recipient: string;
  /** JSON of its texts. */
  message: string;
  attempts: Generated<number>;
  /** When it is tried next; while one process sends it, when others may. */
  due_at: UnixSeconds;
}

/** Maintained lists of prices that are newer than the program. */
export interface PriceListsTable {
  /** The beginning of its data's SHA-256. */
  version: string;
  in_use: Flag;
  fetched_at: UnixSeconds;
  /** The program's version when it was read. */
  program: string;
  /** JSON in the form that genai-prices publishes, without what nothing here needs. */
  data: string;
}

/** What root has not been told yet; several become one message. */
export interface PendingAlertsTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  kind: string;
  /** JSON of what the texts name. */
  facts: string;
}

/** What has been told of somebody or something and still holds, so that nobody is told twice. */
export interface AlertStatesTable {
  kind: string;
  id: number;
  /** How bad what was told is; each kind has its own. */
  level: number;
  at: UnixSeconds;
}

/** Callers' keys. */
export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** HMAC-SHA-256 of the key, for look-up. */
  key_hmac: string;
  /** The key in AES-256-GCM, for the owner's copy button. */
  key_cipher: string;
  /** The look-up value of the key before the present one; empty where there was none. */
  old_key_hmac: Generated<string>;
  /** When that key ends or has ended; 0 where there was none. */
  old_key_ends_at: Generated<UnixSeconds>;
  status: number;
  created_time: UnixSeconds;
  /** -1 never. */
  expired_time: UnixSeconds;
  unlimited_quota: Flag;
  models: string;
  subnet: string;
  rpm_limit: number;
  dpm_limit: number;
  tpm_limit: number;
  email: string;
  custom_contact: string;
  moderations_enable: Flag;
  /** What its requests say and are answered is kept for a while. */
  keep_bodies: Generated<Flag>;
  /** Prompts that moderation has flagged. */
  flagged_count: Generated<number>;
  /** What remained when its owner last set it; what is left is told as a share of this. */
  quota_ceiling: Generated<Quota>;
}

/** What a token may spend and has spent: one narrow row a token, since every charge writes it. */
export interface TokenBalancesTable {
  token_id: number;
  /** What is left of the quota that its owner allotted, holds that are rows taken off; means nothing while it is unlimited. */
  remaining: Generated<Quota>;
  /** What its requests cost its owner. */
  used: Generated<Quota>;
  /** 0 for never. */
  last_used_at: Generated<UnixSeconds>;
}

/** Connections to providers. */
export interface ChannelsTable {
  id: Generated<number>;
  type: number;
  name: string;
  /** The provider's key in AES-256-GCM. */
  key_cipher: string;
  status: number;
  /** Why it was disabled automatically; empty otherwise. */
  status_reason: Generated<string>;
  base_url: string;
  other: string;
  models: string;
  group: string;
  model_mapping: string;
  system_prompt: string;
  organization: string;
  soft_limit_usd: number;
  calc_prompt: Flag;
  /** JSON text without its secret parts. */
  config: string;
  /** The secret parts of the config as JSON in AES-256-GCM; empty when there are none. */
  config_cipher: string;
  priority: number;
  weight: number;
  created_time: UnixSeconds;
  test_time: Generated<UnixSeconds>;
  /** Of the last test, in ms; 0 for untested or failed. */
  response_time: Generated<number>;
  balance: Generated<number>;
  balance_updated_time: Generated<UnixSeconds>;
  /** Until when the provider limits the whole account; 0 or past while it does not. */
  awake_time: Generated<UnixSeconds>;
  used_quota: Generated<Quota>;
  /** `used_quota` when the spending limit began to count. */
  soft_limit_base_quota: Generated<Quota>;
  /** JSON of the contract's last test; empty for untested. */
  last_test: Generated<string>;
  /** JSON of the contract's channel hint; empty without. */
  status_hint: Generated<string>;
  /** Comma-separated models that the provider listed when it was last asked; empty for never. */
  provider_models: Generated<string>;
  /** JSON of what its models cost the operator; empty for what the maintained list says. */
  costs: Generated<string>;
  /** Comma-separated words that group channels. */
  tags: Generated<string>;
}

/** What the gateway decided about channels by itself. A decision that comes again within an hour is counted in its row. */
export interface ChannelDecisionsTable {
  id: Generated<number>;
  channel_id: number;
  /** One of the contract's kinds. */
  kind: string;
  /** The model that it is about, by the provider's name; empty for the whole channel. */
  model: string;
  /** Why: one of the contract's reasons. */
  code: string;
  /** Why, in English; a provider's own words without secrets. */
  message: string;
  first_at: UnixSeconds;
  last_at: UnixSeconds;
  /** Until when it holds; 0 until something else happens. */
  until: UnixSeconds;
  times: number;
  /** When an administrator took it back; 0 while nobody has. */
  undone_at: Generated<UnixSeconds>;
}

/** The model index: which channel serves which model to which group. */
export interface ChannelModelsTable {
  group: string;
  model: string;
  channel_id: number;
}

/** Codes that add quota to the account which redeems them. */
export interface RedemptionsTable {
  id: Generated<number>;
  /** Who made it. */
  user_id: number;
  name: string;
  key_hmac: string;
  key_cipher: string;
  status: number;
  quota: Quota;
  created_time: UnixSeconds;
  redeemed_time: Generated<UnixSeconds>;
  redeemed_by: number | null;
}

/**
 * What people see on the log page, and what every relayed request was charged: one row for both. Entries of the type
 * consumption are unique by request id, which alone forbids a second charge, and are never deleted: clean-up blanks and hides them.
 */
export interface LogsTable {
  id: Generated<number>;
  user_id: number;
  created_at: UnixSeconds;
  type: number;
  content: string;
  username: string;
  token_name: string;
  model_name: string;
  /** What the user was charged. */
  quota: Quota;
  prompt_tokens: number;
  completion_tokens: number;
  channel_id: number;
  request_id: string;
  /** In ms. */
  elapsed_time: number;
  is_stream: Flag;
  /** JSON of the contract's log detail; empty without. */
  detail: string;
  /** One of the contract's log results; empty for entries without a request. */
  result: Generated<string>;
  /** HTTP status that the provider gave, or that the gateway refused with; 0 for none. */
  status_code: Generated<number>;
  /** 0 where no token is involved, and in earlier versions' rows of requests that cost nothing. */
  token_id: Generated<number>;
  /** What of the charge was taken from a limited token. */
  token_amount: Generated<Quota>;
  /** What the request would have cost beyond the balance, for lack of cover. */
  shortfall: Generated<Quota>;
  /** 1 when the log was switched off or cleaned: only the columns of the charge count. */
  hidden: Generated<Flag>;
  /** What the request cost the operator, in quota; -1 where nobody knows. */
  cost: Generated<number>;
  /** From arrival to the first byte of the answer, in ms; 0 without one. */
  first_byte_ms: Generated<number>;
}

/** A part of what is added up of everybody's requests in a span of time, as text (`features/usage`): all parts of a span together are its sums. */
export interface UsagePartsTable {
  /** 0: all together, 1: by model, 2: by channel, 3: by user, 4: by token. */
  view: number;
  /** How long the span is: 0 for half an hour, then each twice as long or three times (`features/usage/slot-spans.ts`). */
  level: number;
  /** Spans of this length from the Unix epoch to it. */
  slot: number;
  part: number;
  sums: string;
}

/** The number that stands for a user's token where sums are told apart by token. */
export interface UsageTokensTable {
  id: Generated<number>;
  user_id: number;
  token_name: string;
}

/** What is added up of a user's requests in half an hour; see `features/usage/usage-sums.ts`. */
export interface UsageOfUsersTable {
  user_id: number;
  /** Half hours from the Unix epoch to it. */
  slot: number;
  token_name: string;
  model_name: string;
  requests: number;
  refused: number;
  errors: number;
  quota: Quota;
  cost: Quota;
  unknown_requests: number;
  unknown_quota: Quota;
  prompt_tokens: number;
  completion_tokens: number;
  timed: number;
  first_log: number;
}

/** How far the log is added up: one row. */
export interface UsageProgressTable {
  id: number;
  last_id: number;
  newest_slot: number;
  /** How often something was added. */
  steps: Generated<number>;
}

/** An entry of the log that is in the sums and was booked anew: what the sums must lose. */
export interface UsageCorrectionsTable extends Pick<
  LogsTable,
  | "user_id"
  | "created_at"
  | "token_name"
  | "model_name"
  | "channel_id"
  | "quota"
  | "cost"
  | "prompt_tokens"
  | "completion_tokens"
  | "is_stream"
  | "result"
  | "status_code"
  | "first_byte_ms"
> {
  id: Generated<number>;
}

/** Key/value settings; secret values are AES-256-GCM. */
export interface OptionsTable {
  key: string;
  value: string;
}

/**
 * Every change of a balance that is no charge, never changed or deleted. What a user was given is the sum of `user_amount`; what a limited
 * token was given, that of `token_amount`.
 */
export interface LedgerEntriesTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** grant, redeem, allot (token quota set by its owner), cleared (charges whose log rows are gone, summed up by user and token). */
  kind: string;
  /** A unique id of the action; unique together with `kind`. */
  request_id: string;
  user_id: number;
  /** 0 where no token is involved. */
  token_id: number;
  user_amount: Quota;
  token_amount: Quota;
  note: string;
}

/**
 * Requests in flight that must not be lost with their process: quota set aside for them where several processes own the database, and what
 * they had delivered at their last checkpoint. A row goes when its request is settled or released.
 */
export interface RelayHoldsTable {
  request_id: string;
  user_id: number;
  token_id: number;
  token_unlimited: Flag;
  /** Taken from the user's balance; 0 where holds live in memory. */
  user_amount: Quota;
  /** Taken from a limited token's balance; 0 where holds live in memory. */
  token_amount: Quota;
  /** Cost of what was delivered at the last checkpoint: charged when the process dies. */
  delivered_quota: Generated<Quota>;
  channel_id: Generated<number>;
  instance_id: string;
  created_at: UnixSeconds;
}

/** What a user or a token may spend in each period of time, and what of it is spent. */
export interface BudgetsTable {
  user_id: number;
  /** 0 for the user's own budget, which counts all tokens. */
  token_id: number;
  amount: Quota;
  /** One of the contract's periods. */
  period: string;
  /** When it was set: requests that began before do not count. */
  since: UnixSeconds;
  /** The start of the period that `spent` is about. */
  window_start: UnixSeconds;
  /** The sum of its uses in that period. */
  spent: Quota;
}

/** What requests take of budgets: set aside where holds are rows, then what they were charged. Rows of periods that are over mean nothing. */
export interface BudgetUsesTable {
  request_id: string;
  user_id: number;
  /** As in the budget. */
  token_id: number;
  window_start: UnixSeconds;
  amount: Quota;
}

/** Running server processes. Holds of one that stopped beating are recovered by another. */
export interface InstancesTable {
  id: string;
  started_at: UnixSeconds;
  beat_at: UnixSeconds;
}

/** What a provider keeps for a caller: only its owner's tokens reach it, at the channel that has it. */
export interface KeptObjectsTable {
  id: Generated<number>;
  /** The provider's own id. */
  object_id: string;
  kind: "file" | "response";
  user_id: number;
  token_id: number;
  channel_id: number;
  /** In bytes; 0 where it does not count. */
  size: number;
  created_at: UnixSeconds;
  /** 0 is never. */
  expires_at: UnixSeconds;
  /** What the provider said of it when it was made, as JSON; empty where it is asked each time. */
  data: string;
}

/** Every table of the product. */
export interface Tables {
  users: UsersTable;
  user_balances: UserBalancesTable;
  sessions: SessionsTable;
  login_failures: LoginFailuresTable;
  totp_factors: TotpFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  entry_steps: EntryStepsTable;
  email_codes: EmailCodesTable;
  oauth_states: OAuthStatesTable;
  invitations: InvitationsTable;
  request_counts: RequestCountsTable;
  outbox: OutboxTable;
  pending_alerts: PendingAlertsTable;
  price_lists: PriceListsTable;
  alert_states: AlertStatesTable;
  tokens: TokensTable;
  token_balances: TokenBalancesTable;
  channels: ChannelsTable;
  channel_decisions: ChannelDecisionsTable;
  channel_models: ChannelModelsTable;
  redemptions: RedemptionsTable;
  logs: LogsTable;
  log_batches: LogBatchesTable;
  log_groups: LogGroupsTable;
  log_names: LogNamesTable;
  usage_parts: UsagePartsTable;
  usage_tokens: UsageTokensTable;
  usage_of_users: UsageOfUsersTable;
  usage_progress: UsageProgressTable;
  usage_corrections: UsageCorrectionsTable;
  options: OptionsTable;
  ledger_entries: LedgerEntriesTable;
  relay_holds: RelayHoldsTable;
  budgets: BudgetsTable;
  budget_uses: BudgetUsesTable;
  instances: InstancesTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  audit_checks: AuditChecksTable;
  kept_bodies: KeptBodiesTable;
  saved_views: SavedViewsTable;
  default_views: DefaultViewsTable;
  kept_objects: KeptObjectsTable;
  batches: BatchesTable;
}
