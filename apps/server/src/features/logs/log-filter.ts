import { LOG_TYPE, type LogResult, type LogResultFilter } from "@one-api/contract/logs/log";

/** Which entries are meant. Everything must be equal, times within the bounds; 0 or an empty text leaves a part out. */
export interface LogFilter {
  readonly userId: number;
  readonly type: number;
  readonly tokenName: string;
  readonly modelName: string;
  readonly username: string;
  readonly channelId: number;
  /** `errors` for all that did not end well. */
  readonly result: LogResultFilter;
  /** Unix seconds, the bounds themselves included. */
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}

/** The filter that leaves all entries. */
export const NO_FILTER: LogFilter = {
  userId: 0,
  type: LOG_TYPE.all,
  tokenName: "",
  modelName: "",
  username: "",
  channelId: 0,
  result: "",
  startTimestamp: 0,
  endTimestamp: 0,
};

/** What entries have in common that stand in one group. */
export interface LogLabels {
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel_id: number;
  readonly type: number;
  readonly result: string;
}

/** That a label is one of some values, or none of them. */
export interface LabelCondition {
  readonly label: keyof LogLabels;
  readonly values: readonly (string | number)[];
  readonly isNot: boolean;
}

/** What `errors` leaves out: entries without a request, and those of requests that ended well. */
const NO_ERRORS: readonly LogResult[] = ["", "ok"];

/** What the filter, but for its times, asks of an entry's labels. */
export function conditionsOf(filter: LogFilter): readonly LabelCondition[] {
  const all: LabelCondition[] = [];
  const demand = (label: keyof LogLabels, value: string | number) => {
    if (value !== 0 && value !== "") all.push({ label, values: [value], isNot: false });
  };
  demand("user_id", filter.userId);
  demand("username", filter.username);
  demand("token_name", filter.tokenName);
  demand("channel_id", filter.channelId);
  demand("model_name", filter.modelName);
  if (filter.result === "errors") all.push({ label: "result", values: NO_ERRORS, isNot: true });
  else demand("result", filter.result);
  demand("type", filter.type);
  return all;
}
