import { sql } from "kysely";
import { autoId, integer, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const usageTokens = { id: autoId, user_id: integer, token_name: text };

/** Puts numbers in the place of texts in what was added up by channel (2), user (3) and token (4); a token's text that has no number stays. */
const NUMBERED = {
  sqlite: [
    sql`
    update usage_parts set sums = json_set(sums, '$[0]', json((
      select json_group_array(cast(keys.value as integer) order by keys.key) from json_each(usage_parts.sums, '$[0]') as keys)))
    where view in (2, 3)`,
    sql`
    update usage_parts set sums = json_set(sums, '$[0]', json((
      select json_group_array(coalesce(usage_tokens.id, keys.value) order by keys.key)
      from json_each(usage_parts.sums, '$[0]') as keys
      left join usage_tokens on usage_tokens.user_id = cast(substr(keys.value, 1, instr(keys.value, '/') - 1) as integer)
        and usage_tokens.token_name = substr(keys.value, instr(keys.value, '/') + 1))))
    where view = 4`,
  ],
  postgres: [
    sql`
    update usage_parts set sums = cast(jsonb_set(cast(sums as jsonb), '{0}', (
      select jsonb_agg(cast(keys.value as bigint) order by keys.position)
      from jsonb_array_elements_text(cast(usage_parts.sums as jsonb) -> 0) with ordinality as keys (value, position))) as text)
    where view in (2, 3)`,
    sql`
    update usage_parts set sums = cast(jsonb_set(cast(sums as jsonb), '{0}', (
      select jsonb_agg(coalesce(to_jsonb(usage_tokens.id), to_jsonb(keys.value)) order by keys.position)
      from jsonb_array_elements_text(cast(usage_parts.sums as jsonb) -> 0) with ordinality as keys (value, position)
      left join usage_tokens on usage_tokens.user_id = cast(split_part(keys.value, '/', 1) as bigint)
        and usage_tokens.token_name = substr(keys.value, strpos(keys.value, '/') + 1))) as text)
    where view = 4`,
  ],
};

/** Sums by token name each by a number: numbers are quicker to add up and shorter than names. */
export const usageTokenNumbers: Migration = {
  number: 33,
  name: "usage-tokens",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "usage_tokens", usageTokens).addUniqueConstraint("usage_tokens_unique", [
      "user_id",
      "token_name",
    ]),
    sql`insert into usage_tokens (user_id, token_name) select distinct user_id, token_name from usage_of_users order by 1, 2`,
    ...NUMBERED[builder.kind],
  ],
};
