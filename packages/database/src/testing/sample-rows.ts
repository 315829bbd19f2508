import type { Insertable } from "kysely";
import type { TokensTable, UsersTable } from "../account-tables.ts";
import type { CheckpointsTable, LedgerEntriesTable } from "../ledger-tables.ts";
import type { LogsTable } from "../log-tables.ts";

/** A user to insert; every call makes another name. */
export function sampleUser(changes: Partial<Insertable<UsersTable>> = {}): Insertable<UsersTable> {
  return {
    username: `user-${nextNumber()}`,
    password_hash: "",
    display_name: "",
    role: 1,
    status: 1,
    email: "",
    github_id: "",
    wechat_id: "",
    lark_id: "",
    access_token_hash: null,
    group: "default",
    aff_code: null,
    inviter_id: null,
    created_at: 1_700_000_000,
    ...changes,
  };
}

/** A token to insert; every call makes another key. */
export function sampleToken(changes: Partial<Insertable<TokensTable>> = {}): Insertable<TokensTable> {
  return {
    user_id: 1,
    name: "sample",
    key_hmac: `hmac-${nextNumber()}`,
    key_cipher: "",
    status: 1,
    created_time: 1_700_000_000,
    expired_time: -1,
    unlimited_quota: 0,
    models: "",
    subnet: "",
    rpm_limit: 0,
    dpm_limit: 0,
    tpm_limit: 0,
    email: "",
    custom_contact: "",
    moderations_enable: 0,
    ...changes,
  };
}

/** A ledger entry to insert; every call makes another request id. */
export function sampleLedgerEntry(
  changes: Partial<Insertable<LedgerEntriesTable>> = {},
): Insertable<LedgerEntriesTable> {
  return {
    created_at: 1_700_000_000,
    kind: "grant",
    request_id: `request-${nextNumber()}`,
    user_id: 1,
    token_id: 1,
    user_amount: 10,
    token_amount: 0,
    note: "",
    ...changes,
  };
}

/** A checkpoint to insert; every call makes another request id. */
export function sampleCheckpoint(changes: Partial<Insertable<CheckpointsTable>> = {}): Insertable<CheckpointsTable> {
  return {
    request_id: `request-${nextNumber()}`,
    owner: 1,
    user_id: 1,
    token_id: 1,
    token_limited: 1,
    channel_id: 1,
    delivered: 5,
    created_at: 1_700_000_000,
    model_name: "",
    prompt_tokens: 1,
    completion_tokens: 1,
    ...changes,
  };
}

/** A log entry to insert, without a request. */
export function sampleLog(changes: Partial<Insertable<LogsTable>> = {}): Insertable<LogsTable> {
  return {
    user_id: 1,
    created_at: 1_700_000_000,
    type: 2,
    content: "",
    username: "",
    token_name: "",
    model_name: "",
    quota: 10,
    prompt_tokens: 1,
    completion_tokens: 1,
    channel_id: 1,
    request_id: "",
    elapsed_time: 1,
    is_stream: 0,
    detail: "",
    ...changes,
  };
}

let lastNumber = 0;

function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
