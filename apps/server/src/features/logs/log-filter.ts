import type { LogResult } from "@one-api/contract/logs/log";
import type { LogFilter } from "@one-api/log-store/log-filter";

export { type LogFilter, NO_FILTER } from "@one-api/log-store/log-filter";

interface FilteredColumns {
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly alias: string;
  readonly channel_id: number;
  readonly type: number;
  readonly result: string;
}

export interface ColumnCondition {
  readonly column: keyof FilteredColumns;
  readonly values: readonly (string | number)[];
  readonly isNot: boolean;
}

/** Results that `errors` excludes: entries without a request, and successful requests. */
const NO_ERRORS: readonly LogResult[] = ["", "ok"];

export function conditionsOf(filter: LogFilter): readonly ColumnCondition[] {
  const all: ColumnCondition[] = [];
  const demand = (column: keyof FilteredColumns, value: string | number) => {
    if (value !== 0 && value !== "") all.push({ column, values: [value], isNot: false });
  };
  demand("user_id", filter.userId);
  demand("username", filter.username);
  demand("token_name", filter.tokenName);
  demand("channel_id", filter.channelId);
  demand("model_name", filter.modelName);
  demand("alias", filter.alias);
  if (filter.result === "errors") all.push({ column: "result", values: NO_ERRORS, isNot: true });
  else demand("result", filter.result);
  demand("type", filter.type);
  return all;
}
