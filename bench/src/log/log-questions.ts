import type { LogFilter } from "@one-api/log-store/log-filter";
import { NO_FILTER } from "@one-api/log-store/log-filter";
import { type LogQuestion, NO_USAGE_FILTER, type UsageQuestion } from "@one-api/log-store/questions";
import type { LogShape } from "./fill-log.ts";

const DAY = 86_400;
const HALF_HOUR = 1_800;

/** A question of the console, and the CPU time in ms that it may take with 10 million entries. */
export interface MeasuredQuestion {
  readonly name: string;
  readonly bar: number;
  /** Another index asks for another user. */
  readonly question: (index: number) => LogQuestion;
  /** Also measured as the first question after a start, with the file out of the cache. */
  readonly isFirstLook?: boolean;
}

/** Returns the questions whose cost is measured, at the end of a log. */
export function listQuestions(shape: LogShape): readonly MeasuredQuestion[] {
  return [...listPages(shape), ...listTotals(shape), ...listDashboards(shape), ...listOthers(shape)];
}

function endOf({ from, seconds }: LogShape): number {
  return Math.floor((from + seconds) / HALF_HOUR) * HALF_HOUR;
}

function userAt({ users }: LogShape, index: number): number {
  return 1 + (((index + 1) * 2_741) % users);
}

function listPages(shape: LogShape): MeasuredQuestion[] {
  const end = endOf(shape);
  const week = { startTimestamp: end - 7 * DAY - 1_234, endTimestamp: end - 55 };
  const page = (filter: Partial<LogFilter>, offset = 0, limit = 20): LogQuestion => ({
    kind: "page",
    filter: { ...NO_FILTER, ...filter },
    offset,
    limit,
    upTo: 0,
    withTotal: true,
  });
  const far = 5_000_000;
  const user = (index: number) => `user-${userAt(shape, index)}`;
  return [
    { name: "list, no filter", bar: 100, isFirstLook: true, question: () => page({}) },
    { name: "list, a week", bar: 100, question: () => page(week) },
    { name: "list, a type", bar: 100, question: () => page({ types: [4] }) },
    { name: "list, a result", bar: 100, question: () => page({ results: ["provider-limited"] }) },
    { name: "list, errors", bar: 100, question: () => page({ results: ["errors"] }) },
    { name: "list, heaviest model", bar: 100, question: () => page({ modelNames: ["model-1"] }) },
    { name: "list, heaviest user", bar: 100, isFirstLook: true, question: () => page({ usernames: ["user-1"] }) },
    { name: "list, user", bar: 100, question: (index) => page({ usernames: [user(index)] }) },
    {
      name: "list, user and model",
      bar: 100,
      question: (index) => page({ usernames: [user(index)], modelNames: ["model-1"] }),
    },
    { name: "list, user and channel", bar: 100, question: () => page({ usernames: ["user-1"], channelIds: [3] }) },
    { name: "list, token", bar: 100, question: (index) => page({ tokenNames: [`token-${userAt(shape, index)}-1`] }) },
    {
      name: "list, model, channel, result, a week",
      bar: 100,
      question: () => page({ modelNames: ["model-2"], channelIds: [4], results: ["refused"], ...week }),
    },
    { name: "page 50,000, no filter", bar: 100, question: () => page({}, far, 100) },
    { name: "page 50,000, time", bar: 250, question: () => page({ endTimestamp: end + HALF_HOUR }, far, 100) },
    { name: "page 5,000, heaviest model", bar: 100, question: () => page({ modelNames: ["model-1"] }, far / 10, 100) },
    { name: "page 2,000, heaviest user", bar: 100, question: () => page({ usernames: ["user-1"] }, far / 25, 100) },
  ];
}

function listTotals(shape: LogShape): MeasuredQuestion[] {
  const { from } = shape;
  const end = endOf(shape);
  const totals = (filter: Partial<LogFilter>): LogQuestion => ({ kind: "totals", filter: { ...NO_FILTER, ...filter } });
  const histogram = (filter: Partial<LogFilter>, start: number): LogQuestion => ({
    kind: "histogram",
    filter: { ...NO_FILTER, ...filter },
    edges: Array.from({ length: 61 }, (_, index) => start + index * Math.floor((end - start) / 60)),
  });
  return [
    { name: "totals of everything", bar: 100, isFirstLook: true, question: () => totals({}) },
    { name: "totals, heaviest model", bar: 100, question: () => totals({ modelNames: ["model-1"] }) },
    { name: "totals, heaviest user", bar: 100, question: () => totals({ usernames: ["user-1"] }) },
    {
      name: "totals, token",
      bar: 100,
      question: (index) => totals({ tokenNames: [`token-${userAt(shape, index)}-1`] }),
    },
    {
      name: "totals, model, channel, result",
      bar: 100,
      question: () => totals({ modelNames: ["model-1"], channelIds: [3], results: ["ok"] }),
    },
    { name: "results of everything", bar: 150, question: () => ({ kind: "results", filter: NO_FILTER }) },
    { name: "histogram of everything", bar: 150, isFirstLook: true, question: () => histogram({}, from) },
    { name: "histogram, heaviest model", bar: 150, question: () => histogram({ modelNames: ["model-1"] }, from) },
    { name: "histogram, heaviest user", bar: 150, question: () => histogram({ usernames: ["user-1"] }, from) },
    { name: "histogram, a week", bar: 150, question: () => histogram({}, end - 7 * DAY) },
  ];
}

type UsageParts = Partial<Omit<UsageQuestion, "kind" | "edges">>;

function usage(end: number, days: number, parts: UsageParts): UsageQuestion {
  const [count, length] = days === 1 ? [24, 3_600] : [days, DAY];
  return {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: Array.from({ length: count + 1 }, (_, index) => end - (count - index) * length),
    by: "model",
    order: "spend",
    rows: 100,
    split: 6,
    times: "none",
    ...parts,
  };
}

function listDashboards(shape: LogShape): MeasuredQuestion[] {
  const end = endOf(shape);
  const keys = ["channel", "user", "token"] as const;
  const of = (userId: number) => ({ ...NO_USAGE_FILTER, userId });
  return [
    ...([30, 7, 1] as const).map((days) => ({
      name: `dashboard, ${days} d by model`,
      bar: 30,
      isFirstLook: days === 30,
      question: () => usage(end, days, {}),
    })),
    ...([30, 7, 1] as const).flatMap((days) =>
      keys.map((by) => ({
        name: `dashboard, ${days} d by ${by}`,
        bar: days === 30 ? 300 : 100,
        isFirstLook: days === 30 && by === "user",
        question: () => usage(end, days, { by }),
      })),
    ),
    {
      name: "own dashboard, 30 d, heaviest user",
      bar: 300,
      question: () => usage(end, 30, { by: "token", filter: of(1) }),
    },
    {
      name: "own dashboard, 30 d, user",
      bar: 300,
      question: (index) => usage(end, 30, { by: "token", filter: of(userAt(shape, index)) }),
    },
    ...(["model", "channel"] as const).map((by) => ({
      name: `first byte, 30 d by ${by}`,
      bar: 150,
      isFirstLook: by === "model",
      question: () => usage(end, 30, { by, split: 0, times: "rows" }),
    })),
    {
      name: "first byte, 7 d by model, intervals",
      bar: 150,
      question: () => usage(end, 7, { split: 0, times: "rows-and-intervals" }),
    },
    { name: "margin, 30 d by channel", bar: 300, question: () => usage(end, 30, { by: "channel", order: "margin" }) },
  ];
}

function listOthers(shape: LogShape): MeasuredQuestion[] {
  const end = endOf(shape);
  const values = (column: "model_name" | "token_name" | "username", keyword: string): LogQuestion => ({
    kind: "values",
    column,
    filter: NO_FILTER,
    keyword,
    limit: 20,
  });
  return [
    { name: "values, models", bar: 100, question: () => values("model_name", "") },
    { name: "values, tokens", bar: 100, question: () => values("token_name", "") },
    { name: "values, users", bar: 100, question: () => values("username", "") },
    { name: "values, users by prefix", bar: 100, question: () => values("username", "user-77") },
    { name: "count before a time", bar: 100, question: () => ({ kind: "old-entries", before: end - 7 * DAY }) },
    {
      name: "times of a channel",
      bar: 100,
      question: (index) => ({ kind: "times", filter: { ...NO_FILTER, channelIds: [index + 1] }, limit: 10_000 }),
    },
  ];
}
