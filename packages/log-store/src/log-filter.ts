import { LOG_TYPE, type LogResultFilter } from "@one-api/contract/logs/log";

/** Filter of log entries. Every field must match; 0 or an empty text matches all. */
export interface LogFilter {
  readonly userId: number;
  readonly type: number;
  readonly tokenName: string;
  readonly modelName: string;
  /** Requested name, where it is an alias. */
  readonly alias: string;
  readonly username: string;
  readonly channelId: number;
  /** `errors` for every result but `ok`. */
  readonly result: LogResultFilter;
  /** Unix seconds, both inclusive. */
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}

export const NO_FILTER: LogFilter = {
  userId: 0,
  type: LOG_TYPE.all,
  tokenName: "",
  modelName: "",
  alias: "",
  username: "",
  channelId: 0,
  result: "",
  startTimestamp: 0,
  endTimestamp: 0,
};
