import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

/** Users; their quota is in `user_balances`. */
export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** argon2id in PHC form; empty without a password. */
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
  /** Issuer and subject at the OpenID Connect provider, separated by a space. */
  oidc_id: Generated<string>;
  /** SHA-256 of the system access token; null without one. */
  access_token_hash: string | null;
  /** 0 without one, and for those of older versions. */
  access_token_created_at: Generated<UnixSeconds>;
  access_token_used_at: Generated<UnixSeconds>;
  /** Comma-separated; empty means default. */
  group: string;
  aff_code: string | null;
  inviter_id: number | null;
  created_at: UnixSeconds;
  /** Language of mails, from the browser's latest request; empty for unknown. */
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

/**
 * Exact remaining and used quota of users: a view of `shares` and unapplied charges. Reservations of batches count as
 * used.
 */
export interface UserBalancesView {
  readonly user_id: number;
  readonly remaining: Quota;
  readonly used: Quota;
  /** Charged requests, including free ones. */
  readonly requests: number;
}

/** Mailboxes and provider accounts that had an account here, also deleted ones. */
export interface KnownIdentitiesTable {
  identity_hmac: string;
  known_since: UnixSeconds;
}

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  key_hmac: string;
  /** For the owner's copy button. */
  key_cipher: string;
  /** `key_hmac` of the previous key; empty without one. */
  old_key_hmac: Generated<string>;
  /** End of the previous key; 0 without one. */
  old_key_ends_at: Generated<UnixSeconds>;
  status: number;
  created_time: UnixSeconds;
  /** -1 never. */
  expired_time: UnixSeconds;
  unlimited_quota: Flag;
  models: string;
  /** Groups in order; empty for those of the owner. */
  group: Generated<string>;
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
  /** Bodies of its requests are stored for a while. */
  keep_bodies: Generated<Flag>;
  flagged_count: Generated<number>;
  /** Remaining quota when the owner last set it: the base of the displayed share. */
  quota_ceiling: Generated<Quota>;
}

export interface TokenBalancesView {
  readonly token_id: number;
  /** Of the allotted quota; meaningless while it is unlimited. */
  readonly remaining: Quota;
  /** Charges to its owner. */
  readonly used: Quota;
  /** 0 for never. */
  readonly last_used_at: UnixSeconds;
}

/** Keys for the management API. A revoked one stays, for its name in the audit trail. */
export interface ManagementKeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Null once it is revoked. */
  key_hash: string | null;
  hint: string;
  old_key_hash: Generated<string>;
  old_key_ends_at: Generated<UnixSeconds>;
  /** Comma-separated. */
  scopes: string;
  /** Comma-separated CIDR ranges; empty for all addresses. */
  networks: string;
  created_at: UnixSeconds;
  /** -1 never. */
  expires_at: UnixSeconds;
  last_used_at: Generated<UnixSeconds>;
  last_used_address: Generated<string>;
  /** 0 for a key in force. */
  revoked_at: Generated<UnixSeconds>;
}

export interface RedemptionsTable {
  id: Generated<number>;
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
