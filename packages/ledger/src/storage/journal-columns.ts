import { UNKNOWN_FACTS } from "@one-api/contract/logs/alias-facts";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { StatementParameter } from "@one-api/database/open-database";
import { type LogRow, UNKNOWN_COST } from "../ledger.ts";
import type { CheckpointRow, JournalRow } from "./storage.ts";

/** A refund. Its amounts are the refunded part of the charge. */
export const REFUND_TYPE = 6;

/** The log entry of a request of which nothing is known. */
export const BLANK_LOG: Required<LogRow> = {
  user_id: 0,
  created_at: 0,
  type: LOG_TYPE.consumption,
  content: "",
  username: "",
  token_name: "",
  model_name: "",
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: "",
  elapsed_time: 0,
  is_stream: 0,
  detail: "",
  result: "",
  status_code: 0,
  cost: UNKNOWN_COST,
  first_byte_ms: 0,
  alias: "",
  first_model: "",
  alias_facts: UNKNOWN_FACTS,
};

/** The columns of `logs` that the ledger writes, with a value that shows their type. */
const template: JournalRow = {
  ...BLANK_LOG,
  owner: 0,
  quota: 0,
  token_id: 0,
  token_amount: 0,
  shortfall: 0,
  hidden: 0,
  user_budget: 0,
  token_budget: 0,
  group_budget: 0,
};

export interface JournalColumn {
  readonly name: keyof JournalRow;
  readonly isNumber: boolean;
}

export const JOURNAL_COLUMNS: readonly JournalColumn[] = columnsOf(template);

export const JOURNAL_COLUMN_LIST = JOURNAL_COLUMNS.map(({ name }) => `"${name}"`).join(", ");

/** Parts of a journal entry by account, as SQL: charge to the share, and use. A refund lowers both. */
export const ENTRY_PARTS = `
  select 1 as kind, user_id as account, sign * quota as amount, sign * quota as used, one, created_at as at from entry
  union all select 2, token_id, sign * token_amount, sign * quota, one, created_at from entry where token_id <> 0
  union all select 3, user_budget, sign * quota, 0, 0, 0 from entry where user_budget <> 0
  union all select 3, token_budget, sign * quota, 0, 0, 0 from entry where token_budget <> 0
  union all select 3, group_budget, sign * quota, 0, 0, 0 from entry where group_budget <> 0`;

/** `sign` and `one` of a journal entry, as SQL. */
export const ENTRY_SIGN = `case when type = ${LOG_TYPE.consumption} then 1 else -1 end as sign,
  case when type = ${LOG_TYPE.consumption} then 1 else 0 end as one`;

/** True in SQL for a row of `logs` that is an entry of the journal. */
export const IS_ENTRY = `type in (${LOG_TYPE.consumption}, ${REFUND_TYPE})`;

/** Journal columns of a request whose server died, as SQL over a row `gone` of `checkpoints`. */
const RECOVERED_ROW = columnList({
  owner: "gone.owner",
  user_id: "gone.user_id",
  created_at: "gone.created_at",
  type: String(LOG_TYPE.consumption),
  content: "'Recovered after the server stopped in the middle of this request.'",
  username: "coalesce((select username from users where users.id = gone.user_id), '')",
  token_name: "coalesce((select name from tokens where tokens.id = gone.token_id), '')",
  model_name: "gone.model_name",
  prompt_tokens: "gone.prompt_tokens",
  cached_tokens: "0",
  completion_tokens: "gone.completion_tokens",
  channel_id: "gone.channel_id",
  request_id: "gone.request_id",
  elapsed_time: "0",
  is_stream: "0",
  detail: "''",
  result: "'gateway-failed'",
  status_code: "0",
  cost: "-1",
  first_byte_ms: "0",
  alias: "''",
  first_model: "''",
  alias_facts: String(UNKNOWN_FACTS),
  quota: "gone.delivered",
  token_id: "gone.token_id",
  token_amount: "gone.token_limited * gone.delivered",
  shortfall: "0",
  hidden: "0",
  user_budget: "gone.user_budget",
  token_budget: "gone.token_budget",
  group_budget: "gone.group_budget",
});

/** Charges what requests of a dead server had delivered, the rows of `gone`, unless they have a charge. */
export const INSERT_RECOVERED = `insert into logs (${JOURNAL_COLUMN_LIST})
select ${RECOVERED_ROW} from gone
where delivered > 0 and not exists (
  select 1 from logs where logs.type = ${LOG_TYPE.consumption} and logs.request_id = gone.request_id and logs.request_id <> '')
on conflict do nothing returning id`;

/** Charges with their refunds; a statement adds the condition. */
export const FIND_CHARGES = `
select request_id, quota, token_amount, coalesce((
  select refund.quota from logs as refund
  where refund.type = ${REFUND_TYPE} and refund.request_id = logs.request_id and refund.request_id <> ''), 0) as refunded
from logs where type = ${LOG_TYPE.consumption} and request_id <> ''`;

/** Returns the statement that reads an owner's watermark and its last entry. @param owner where its id stands among the parameters */
export function readOwnerState(owner: string): string {
  return `select applied_id, coalesce((
    select max(logs.id) from logs where logs.id > owners.applied_id and logs.owner = owners.id), applied_id) as last_id
  from owners where id = ${owner}`;
}

/** Returns the statement that reads an owner's shares. @param owner where its id stands among the parameters */
export function readSharesOf(owner: string): string {
  return `select kind, account, remaining, is_scarce from shares where owner = ${owner} and owner <> 0`;
}

function columnList(expressions: Readonly<Record<keyof JournalRow, string>>): string {
  return JOURNAL_COLUMNS.map(({ name }) => expressions[name]).join(", ");
}

function columnsOf(row: JournalRow): JournalColumn[] {
  const columns: JournalColumn[] = [];
  let name: keyof JournalRow;
  for (name in row) columns.push({ name, isNumber: typeof row[name] === "number" });
  return columns;
}

export function journalValues(row: JournalRow): StatementParameter[] {
  return JOURNAL_COLUMNS.map(({ name }) => row[name]);
}

/** The columns of `checkpoints` but the owner, which the statement adds. */
export const CHECKPOINT_COLUMNS = [
  "request_id",
  "user_id",
  "token_id",
  "token_limited",
  "user_budget",
  "token_budget",
  "group_budget",
  "channel_id",
  "delivered",
  "created_at",
  "model_name",
  "prompt_tokens",
  "completion_tokens",
] as const satisfies readonly (keyof CheckpointRow)[];
