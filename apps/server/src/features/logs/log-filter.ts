import { type LogFilter, resultsBesideErrors } from "@one-api/log-store/log-filter";

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

export function conditionsOf(filter: LogFilter): readonly ColumnCondition[] {
  const all: ColumnCondition[] = [];
  const demand = (column: keyof FilteredColumns, values: readonly (string | number)[]) => {
    if (values.length > 0) all.push({ column, values, isNot: false });
  };
  demand("user_id", filter.userId === 0 ? [] : [filter.userId]);
  demand("username", filter.usernames);
  demand("token_name", filter.tokenNames);
  demand("channel_id", filter.channelIds);
  demand("model_name", filter.modelNames);
  demand("alias", filter.aliases);
  const { results } = filter;
  if (results.includes("errors")) all.push({ column: "result", values: resultsBesideErrors(results), isNot: true });
  else demand("result", results);
  demand("type", filter.types);
  return all;
}
