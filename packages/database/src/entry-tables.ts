import type { Generated } from "kysely";
import type { Quota, UnixSeconds } from "./column-values.ts";

// Logins: sessions, second factors, codes, states, invitations, and counters against guessing.

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
  /** The shared key in AES-256-GCM. */
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
  /** The authenticator's id, in base64url. */
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
  /** SHA-256 of the browser's cookie. */
  id_hash: string;
  purpose: string;
  /** 0 while the user is unknown. */
  user_id: number;
  /** Challenge for a passkey; empty for none. */
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
  /** Lower case. */
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
  /** SHA-256 of the browser's cookie. */
  browser_hash: string;
  user_id: number;
  /** Empty for GitHub or Lark. */
  provider: Generated<string>;
  /** HMAC of a sign-up's invitation; empty for none. */
  invitation_hmac: Generated<string>;
  expires_at: UnixSeconds;
}

/** Administrators' codes; each lets one person create an account. */
export interface InvitationsTable {
  id: Generated<number>;
  name: string;
  /** HMAC-SHA-256 of the code, for look-up. */
  code_hmac: string;
  /** The code in AES-256-GCM, to show the link again. */
  code_cipher: string;
  /** Of the new account; comma-separated, empty means default. */
  group: string;
  /** Added to the quota of new users. */
  quota: Quota;
  created_by: number;
  created_at: UnixSeconds;
  expires_at: UnixSeconds;
  used_at: Generated<UnixSeconds>;
  /** Null while unused. */
  used_by: number | null;
}

/** Costly or guessing requests, counted in windows of time. */
export interface RequestCountsTable {
  /** Counted action and its subject, for example `mail:<address>`. */
  subject: string;
  made: number;
  ends_at: UnixSeconds;
}

export interface IdempotentAnswersTable {
  user_id: number;
  /** SHA-256 of the key. */
  key_hash: string;
  /** HMAC-SHA-256 of the call and its input. */
  request_hmac: string;
  /** `data` as JSON, in AES-256-GCM. */
  answer_cipher: string;
  expires_at: UnixSeconds;
}
