import { SUM_COLUMNS } from "../usage-sums.ts";

/** Raised with every change of the tables below: a replica of another version is rebuilt. */
export const SCHEMA_VERSION = 3;

/**
 * `entries`: visible entries in the order of ids. No index or key: slower appends, and failed recoveries (duckdb #22044). `half_hours`: the rollup;
 * rows of one key add up. `cleared`: usage of removed entries by day, by user, token and model (kind 0) and by channel and model (kind 1).
 */
export const SCHEMA = `
create table entries (
  id bigint, created_at bigint, type utinyint, outcome utinyint, result utinyint,
  user_id bigint, username uinteger, token_name uinteger, model_name uinteger, alias uinteger, first_model uinteger,
  channel_id bigint, prompt_tokens bigint, cached_tokens bigint, completion_tokens bigint, quota bigint, cost bigint,
  first_step utinyint, total_step utinyint, first_byte_ms bigint, elapsed_time bigint, alias_facts bigint);
create table names (kind utinyint, id uinteger, name varchar);
create table half_hours (
  slot bigint, model_name uinteger, outcome utinyint,
  n bigint, quota bigint, cost bigint, prompt_tokens bigint, cached_tokens bigint, completion_tokens bigint);
create table cleared (
  kind utinyint, day bigint, user_id bigint, token_name uinteger, model_name uinteger, channel_id bigint,
  ${SUM_COLUMNS.map((name) => `${name} bigint`).join(", ")});
create table state (version integer, watermark bigint, last_change bigint, change_text varchar);
insert into state values (${SCHEMA_VERSION}, 0, 0, '');
`;

/** Columns of an entry in the replica, in the order of the table. */
export const ENTRY_TYPES = [
  "BIGINT",
  "BIGINT",
  "UTINYINT",
  "UTINYINT",
  "UTINYINT",
  "BIGINT",
  "UINTEGER",
  "UINTEGER",
  "UINTEGER",
  "UINTEGER",
  "UINTEGER",
  "BIGINT",
  "BIGINT",
  "BIGINT",
  "BIGINT",
  "BIGINT",
  "BIGINT",
  "UTINYINT",
  "UTINYINT",
  "BIGINT",
  "BIGINT",
  "BIGINT",
] as const;
