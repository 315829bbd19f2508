import type { LogFilter } from "./log-filter.ts";
import type { NameKind } from "./replica/names.ts";

/** Seconds of a slot: usage is counted by half hours, as days begin at half hours in some time zones. */
export const SLOT_SECONDS = 1_800;

/** One page of ids, newest first. */
export interface PageQuestion {
  readonly kind: "page";
  readonly filter: LogFilter;
  readonly offset: number;
  readonly limit: number;
  /** Excludes entries after this id; 0 for none. */
  readonly upTo: number;
  readonly withTotal: boolean;
}

export interface PageAnswer {
  readonly ids: readonly number[];
  readonly total: number;
}

/** Totals of the charges that match, less their refunds. The filter's type is ignored. */
export interface TotalsQuestion {
  readonly kind: "totals";
  readonly filter: LogFilter;
}

export interface TotalsAnswer {
  readonly quota: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
}

/** Totals of the charges that match, by model and result. The filter's type is ignored; a refund lowers the quota of its result. */
export interface ResultsQuestion {
  readonly kind: "results";
  readonly filter: LogFilter;
}

export interface ResultTotals extends TotalsAnswer {
  readonly model: string;
  readonly result: string;
  readonly entries: number;
}

/** Number of matching entries by result in each interval. */
export interface HistogramQuestion {
  readonly kind: "histogram";
  readonly filter: LogFilter;
  /** Unix seconds: the start of each interval, and the end of the last one. */
  readonly edges: readonly number[];
}

export interface HistogramCount {
  readonly interval: number;
  readonly result: string;
  readonly entries: number;
}

/** Entries from before a time, in Unix seconds. */
export interface OldEntriesQuestion {
  readonly kind: "old-entries";
  readonly before: number;
}

export interface OldEntries {
  readonly entries: number;
  /** Id of the last one; 0 without any. */
  readonly lastId: number;
}

/** Values of a column among the matching entries, the most frequent first. Empty names and 0 are left out. */
export interface ValuesQuestion {
  readonly kind: "values";
  readonly column: NameKind | "type" | "channel_id";
  readonly filter: LogFilter;
  /** Only names that contain this text, ignoring case; those that begin with it come first. Numbers are not searched. */
  readonly keyword: string;
  readonly limit: number;
}

export interface ValueCount {
  readonly value: string;
  readonly entries: number;
}

/** Durations of the newest matching answers by model: medians, in ms. */
export interface TimesQuestion {
  readonly kind: "times";
  readonly filter: LogFilter;
  readonly limit: number;
}

export interface ModelTimes {
  readonly model: string;
  readonly requests: number;
  /** Of streams; null without any. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
}

/** Times to the first byte of matching streams, by hour of the week. */
export interface HoursQuestion {
  readonly kind: "hours";
  readonly filter: UsageFilter;
  /** Unix seconds; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Seconds that the hours are ahead of UTC. */
  readonly zoneSeconds: number;
}

export interface HourOfWeek {
  /** From 0, Monday at midnight, to 167. */
  readonly hour: number;
  readonly streams: number;
  /** In ms. */
  readonly p50: number;
  readonly p95: number;
}

/** Usage of present entries by group of users, model and channel. */
export interface TrafficQuestion {
  readonly kind: "traffic";
  /** Unix seconds; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Ids of the users of each group; no user is in two. */
  readonly groups: readonly (readonly number[])[];
}

export interface TrafficRow {
  /** Index of the group; -1 for users of none. */
  readonly group: number;
  readonly model: string;
  /** 0 for requests that were sent to no channel. */
  readonly channelId: number;
  readonly sums: Sums;
  /** Median time to the first byte of streams, in ms; null without any. */
  readonly firstByteMs: number | null;
}

/** Present entries by the facts that decide which model of an alias answers, and by the outcome of the first one. */
export interface ReplayQuestion {
  readonly kind: "replay";
  /** Unix seconds; the end is excluded. */
  readonly start: number;
  readonly end: number;
  readonly groups: TrafficQuestion["groups"];
  /** Only requests for this alias; empty for all requests that these models answered or were tried for first. */
  readonly alias: string;
  readonly models: readonly string[];
  /** Prompt tokens at which a class of prompts begins, in ascending order; class 0 is below the first. */
  readonly promptEdges: readonly number[];
  /** Longest wait for the first token of a stream by model, in ms. */
  readonly deadlines: Readonly<Record<string, number>>;
}

export interface ReplayRow extends TrafficRow {
  /** Model of the first attempt, if another one answered; else empty. */
  readonly firstModel: string;
  /** Class of the prompt, tools and images; null where the log does not have them. */
  readonly facts: { readonly promptClass: number; readonly hasTools: boolean; readonly hasImages: boolean } | null;
  /** Sum of the estimates of the prompts. */
  readonly estimatedTokens: number;
  /** Streams that began after the deadline of their model. */
  readonly isLate: boolean;
  /** Errors of streams that had begun: nothing else is tried after them. */
  readonly broken: number;
  /** Sum of the times until the other errors, in ms. */
  readonly failedMs: number;
}

export interface UsersQuestion {
  readonly kind: "users";
  readonly channelIds?: readonly number[] | undefined;
  readonly userIds?: readonly number[] | undefined;
  readonly models: readonly string[];
  readonly aliases?: readonly string[] | undefined;
  /** Unix seconds. */
  readonly since: number;
}

/**
 * `alias`: the requested name, empty for none. `first-model`: the model of the first attempt if another one answered, else
 * empty.
 */
export type UsageKeyKind = "model" | "channel" | "user" | "token" | "alias" | "first-model";

export type UsageOrder = "spend" | "requests" | "tokens" | "errors" | "first_byte" | "margin" | "cache";

/** Restricts the counted usage. 0 or an empty text matches all. */
export interface UsageFilter {
  readonly userId: number;
  /** Any of these users; undefined for all. */
  readonly userIds?: readonly number[] | undefined;
  readonly tokenName: string;
  readonly modelName: string;
  readonly channelId: number;
  /** Leaves out usage of removed entries. */
  readonly alias: string;
}

export const NO_USAGE_FILTER: UsageFilter = { userId: 0, tokenName: "", modelName: "", channelId: 0, alias: "" };

/** Usage in consecutive intervals, and by one column in all of them. Includes usage of removed entries, by days. */
export interface UsageQuestion {
  readonly kind: "usage";
  readonly filter: UsageFilter;
  /** Unix seconds: the start of each interval, and the end of the last one. They are rounded down to slots. */
  readonly edges: readonly number[];
  readonly by: UsageKeyKind;
  /** Restricts the intervals to this key; undefined for all keys. */
  readonly only?: UsageKey | undefined;
  readonly order: UsageOrder;
  /** Most rows of the answer; the others are added up. 0 for neither, which saves a scan. */
  readonly rows: number;
  readonly split: number;
  /** Parts whose times are computed. */
  readonly times: "none" | "rows" | "rows-and-intervals";
}

/** The name of a model or alias, the id of a channel or user, or a token by its owner's id and its name. */
export type UsageKey = string | number | { readonly userId: number; readonly tokenName: string };

/** Sums of requests. A request was sent to a provider; a refusal was not. */
export interface Sums {
  readonly requests: number;
  readonly refused: number;
  readonly errors: number;
  readonly quota: number;
  /** Known cost to the operator, in quota. */
  readonly cost: number;
  /** Requests of unknown cost, and what they were charged. */
  readonly unknownRequests: number;
  readonly unknownQuota: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** Times of streams and answers, in ms; null without any. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Times {
  /** Until the first byte of a stream. */
  readonly firstByte: Percentiles;
  /** Until the last byte of an answer that ended well. */
  readonly total: Percentiles;
  /** Completion tokens a second, of answers that ended well; null without any. */
  readonly tokensPerSecond: number | null;
}

export interface Usage extends Sums {
  readonly times?: Times;
}

export interface UsageRow {
  readonly key: UsageKey;
  readonly usage: Usage;
  readonly intervals?: readonly Usage[];
}

export interface UsageAnswer {
  readonly intervals: readonly Usage[];
  readonly total: Usage;
  readonly rows: readonly UsageRow[];
  readonly rest: { readonly count: number; readonly usage: Usage } | undefined;
}

interface Answers {
  readonly page: PageAnswer;
  readonly totals: TotalsAnswer;
  readonly results: readonly ResultTotals[];
  readonly histogram: readonly HistogramCount[];
  readonly "old-entries": OldEntries;
  readonly values: readonly ValueCount[];
  readonly times: readonly ModelTimes[];
  readonly hours: readonly HourOfWeek[];
  readonly users: number;
  readonly traffic: readonly TrafficRow[];
  readonly replay: readonly ReplayRow[];
  readonly usage: UsageAnswer;
}

export type LogQuestion =
  | PageQuestion
  | TotalsQuestion
  | ResultsQuestion
  | HistogramQuestion
  | OldEntriesQuestion
  | ValuesQuestion
  | TimesQuestion
  | HoursQuestion
  | UsersQuestion
  | TrafficQuestion
  | ReplayQuestion
  | UsageQuestion;

export type AnswerTo<Question extends LogQuestion> = Answers[Question["kind"]];

export interface Answered<Answer> {
  readonly answer: Answer;
  /** True if it has all entries that were committed before the question. */
  readonly isComplete: boolean;
}
