import type { Generated } from "kysely";
import type { Quota, UnixSeconds } from "./column-values.ts";

// What people need on their way in: sessions, second factors, codes, states, invitations, and what slows guessers down.

/** Logins of browsers. The cookie holds the id, the table only its hash. */
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
  /** 0 until the first code proves that the app has the key; only then it counts. */
  confirmed_at: UnixSeconds;
  /** The time step of the last code that was taken: each works once. */
  last_step: number;
}

/** What is left of an account's recovery codes; each works once. */
export interface RecoveryCodesTable {
  user_id: number;
  /** HMAC of the code with its account. */
  code_hash: string;
}

/** Passkeys (WebAuthn credentials). */
export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  /** As the authenticator names it, in base64url. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Signatures that the authenticator counted; 0 for those that do not count. */
  counter: number;
  name: string;
  created_at: UnixSeconds;
  /** 0 while it was never used. */
  last_used_at: Generated<UnixSeconds>;
}

/** What a browser has begun and has to end: logins that wait for a second factor, and questions to passkeys. None of them is a session. */
export interface LoginStepsTable {
  /** SHA-256 of the cookie of the browser that began. */
  id_hash: string;
  purpose: string;
  /** 0 while nobody knows whose login it is. */
  user_id: number;
  /** What a passkey has to sign; empty while none is asked. */
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

/** Codes and links that were sent to e-mail addresses, kept apart by who asked: nobody can void another's. */
export interface EmailCodesTable {
  /** What the code proves the address for. */
  purpose: string;
  /** Lower case. */
  email: string;
  /** The network that asked for it. */
  requester: string;
  /** HMAC of the code. */
  code_hash: string;
  /** Of the network that asked; at 0 the code is void for it. */
  tries_left: number;
  /** Of all other networks together. */
  others_tries_left: number;
  expires_at: UnixSeconds;
}

/** Logins and bindings that were begun at an OAuth provider and have not come back. */
export interface OAuthStatesTable {
  state_hash: string;
  /** SHA-256 of the cookie of the browser that began. */
  browser_hash: string;
  /** Whose account is to be bound; 0 for a login. */
  user_id: number;
  /** Where it leads; empty for GitHub or Lark. */
  provider: Generated<string>;
  /** HMAC of the invitation that a sign-up uses; empty for none. */
  invitation_hmac: Generated<string>;
  expires_at: UnixSeconds;
}

/** Codes of administrators, each of which lets one person make an account. */
export interface InvitationsTable {
  id: Generated<number>;
  name: string;
  /** HMAC-SHA-256 of the code, for look-up. */
  code_hmac: string;
  /** The code in AES-256-GCM, for who makes the link again. */
  code_cipher: string;
  /** Of the new account; comma-separated, empty means default. */
  group: string;
  /** What the new account gets beside what all new ones get. */
  quota: Quota;
  created_by: number;
  created_at: UnixSeconds;
  expires_at: UnixSeconds;
  /** 0 while it is unused. */
  used_at: Generated<UnixSeconds>;
  /** Who signed up with it; null while it is unused. */
  used_by: number | null;
}

/** Requests that cost something or help to guess, counted in windows of time. */
export interface RequestCountsTable {
  /** What is counted for whom, for example `mail:<address>`. */
  subject: string;
  made: number;
  /** When the window ends. */
  ends_at: UnixSeconds;
}

/** Answers of calls that were made with an Idempotency-Key. */
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
