import type { Insertable } from "kysely";
import type { LedgerEntriesTable, ReservationsTable, TokensTable, UsersTable } from "../tables.ts";

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
    quota: 1000,
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
    remain_quota: 1000,
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

/** A reservation to insert; every call makes another request id. */
export function sampleReservation(changes: Partial<Insertable<ReservationsTable>> = {}): Insertable<ReservationsTable> {
  return {
    request_id: `request-${nextNumber()}`,
    user_id: 1,
    token_id: 1,
    user_amount: 10,
    token_amount: 10,
    instance_id: "instance",
    created_at: 1_700_000_000,
    ...changes,
  };
}

/** A ledger entry to insert; every call makes another request id. */
export function sampleLedgerEntry(
  changes: Partial<Insertable<LedgerEntriesTable>> = {},
): Insertable<LedgerEntriesTable> {
  return {
    created_at: 1_700_000_000,
    kind: "charge",
    request_id: `request-${nextNumber()}`,
    user_id: 1,
    token_id: 1,
    channel_id: 1,
    user_amount: -10,
    token_amount: -10,
    shortfall: 0,
    note: "",
    ...changes,
  };
}

let lastNumber = 0;

function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
