import type { Generated } from "kysely";
import type { Quota, UnixSeconds } from "./column-values.ts";

/** Sessions of browsers. The cookie has the id, the table only its hash. */
export interface SessionsTable {
  id_hash: string;
  user_id: number;
  created_at: UnixSeconds;
  last_seen_at: UnixSeconds;
  expires_at: UnixSeconds;
  address: string;
  user_agent: string;
}

/** Authenticator apps, one for each account (RFC 6238). */
export interface TotpFactorsTable {
  user_id: number;
  key_cipher: string;
  /** 0 until the first code; only a confirmed app counts. */
  confirmed_at: UnixSeconds;
  /** Time step of the last accepted code: each works once. */
  last_step: number;
}

/** An account's unused recovery codes; each works once. */
export interface RecoveryCodesTable {
  user_id: number;
  /** HMAC of the code with its account. */
  code_hash: string;
}

export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Signature counter of the authenticator; 0 if it has none. */
  counter: number;
  name: string;
  created_at: UnixSeconds;
  last_used_at: Generated<UnixSeconds>;
}

/** Begun steps of a browser: logins that wait for a second factor, and passkey challenges. None is a session. */
export interface LoginStepsTable {
  /** Of the browser's cookie. */
  id_hash: string;
  purpose: string;
  user_id: number;
  challenge: string;
  tries_left: number;
  expires_at: UnixSeconds;
}

/** Failed logins by account and by network, so that a restart forgets none. */
export interface LoginFailuresTable {
  /** `account:<name>` or `network:<prefix>`. */
  subject: string;
  failures: number;
  last_failure_at: UnixSeconds;
  blocked_until: UnixSeconds;
}

/** Codes and links sent by e-mail, by requester: none can void another's. */
export interface EmailCodesTable {
  purpose: string;
  email: string;
  requester: string;
  code_hash: string;
  /** For the requesting network; at 0 the code is void for it. */
  tries_left: number;
  /** For all other networks together. */
  others_tries_left: number;
  expires_at: UnixSeconds;
}

/** Begun logins and bindings at an OAuth provider. */
export interface OAuthStatesTable {
  state_hash: string;
  /** Of the browser's cookie. */
  browser_hash: string;
  user_id: number;
  /** Empty for GitHub or Lark. */
  provider: Generated<string>;
  /** Of a sign-up's invitation; empty for none. */
  invitation_hmac: Generated<string>;
  expires_at: UnixSeconds;
}

/** Administrators' codes; each lets one person create an account. */
export interface InvitationsTable {
  id: Generated<number>;
  name: string;
  code_hmac: string;
  /** To show the link again. */
  code_cipher: string;
  group: string;
  quota: Quota;
  created_by: number;
  created_at: UnixSeconds;
  expires_at: UnixSeconds;
  used_at: Generated<UnixSeconds>;
  used_by: number | null;
}

/** Costly or guessing requests, counted in windows of time. */
export interface RequestCountsTable {
  subject: string;
  made: number;
  ends_at: UnixSeconds;
}

export interface IdempotentAnswersTable {
  user_id: number;
  key_hash: string;
  /** Of the call and its input. */
  request_hmac: string;
  /** `data` as JSON. */
  answer_cipher: string;
  expires_at: UnixSeconds;
}
