import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

// Who may spend what: accounts, their tokens, and codes that add quota.

/** People; what they can spend is in `user_balances`. */
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
  /** Limits of all tokens together; 0 for those of the group. */
  rpm_limit: Generated<number>;
  dpm_limit: Generated<number>;
  tpm_limit: Generated<number>;
  concurrent_limit: Generated<number>;
  requests_5h_limit: Generated<number>;
  tokens_5h_limit: Generated<number>;
  requests_day_limit: Generated<number>;
  tokens_day_limit: Generated<number>;
}

/** What users can spend and have spent, to the unit: a view of `shares` and of charges that are not subtracted from them yet. What batches reserve is spent. */
export interface UserBalancesView {
  readonly user_id: number;
  readonly remaining: Quota;
  readonly used: Quota;
  /** Requests that were charged, free ones among them. */
  readonly requests: number;
}

/** Mailboxes and accounts at providers that had an account here. Rows outlive their accounts. */
export interface KnownIdentitiesTable {
  /** HMAC-SHA-256 of what it is and its text. */
  identity_hmac: string;
  known_since: UnixSeconds;
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
  concurrent_limit: Generated<number>;
  requests_5h_limit: Generated<number>;
  tokens_5h_limit: Generated<number>;
  requests_day_limit: Generated<number>;
  tokens_day_limit: Generated<number>;
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

/** The same of tokens. */
export interface TokenBalancesView {
  readonly token_id: number;
  /** Of the quota that its owner allotted; means nothing while it is unlimited. */
  readonly remaining: Quota;
  /** What its requests cost its owner. */
  readonly used: Quota;
  /** 0 for never. */
  readonly last_used_at: UnixSeconds;
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
