import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { type ChartCursor, useChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ChartFrame } from "../../../components/charts/chart-frame.tsx";
import type { ChartModel } from "../../../components/charts/chart-model.ts";
import { IntervalList } from "../../../components/charts/interval-list.tsx";
import { partText } from "../../../components/charts/part-text.ts";
import { useBarWalk } from "../../../components/charts/use-bar-walk.ts";
import { LoadProblem } from "../../../components/load-problem.tsx";
import { formatCompact, formatInteger, formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { type Histogram, rangeOf, useHistogram, useReloadLogs } from "../log-queries.ts";
import { isByClient } from "../../../lib/values/result-looks.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./log-histogram.module.css";

interface Counts {
  readonly ok: number;
  readonly failed: number;
  readonly client: number;
  readonly none: number;
}

const NOTHING: Counts = { ok: 0, failed: 0, client: 0, none: 0 };

interface Bar extends Counts {
  readonly from: number;
  readonly to: number;
  readonly isChosen: boolean;
}

function outcomeOf(result: Histogram["counts"][number]["result"]): keyof Counts {
  if (result === "") return "none";
  if (result === "ok") return "ok";
  return isByClient(result) ? "client" : "failed";
}

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce<Counts>(
    (sum, { ok, failed, client, none }) => ({
      ok: sum.ok + ok,
      failed: sum.failed + failed,
      client: sum.client + client,
      none: sum.none + none,
    }),
    NOTHING,
  );
}

function barsOf(
  { edges, counts }: Histogram,
  { range, ...filters }: Pick<LogFilterState["filters"], "range" | "start_timestamp" | "end_timestamp">,
): Bar[] {
  const { start, end } = rangeOf(filters);
  const bars = edges.slice(0, -1).map((from, interval) => {
    const to = edges[interval + 1] ?? from;
    return { ...NOTHING, from, to, isChosen: range === undefined && to > start && from <= end };
  });
  for (const { interval, result, entries } of counts) {
    const bar = bars[interval];
    if (bar !== undefined) bar[outcomeOf(result)] += entries;
  }
  return withoutOthers(bars);
}

/** Bars of requests alone; entries without a request are counted where there are no others. */
function withoutOthers(bars: Bar[]): Bar[] {
  const { ok, failed, client } = sumOf(bars);
  return ok + failed + client === 0 ? bars : bars.map((bar) => ({ ...bar, none: 0 }));
}

/** Counts in words, each by the series that shows it. */
function useCountTexts() {
  const { t, language } = useTranslation("logs");
  const number = (value: number) => formatInteger(value, language);
  return ({ ok, failed, client, none }: Counts): readonly (readonly [SeriesKey, string])[] =>
    none > 0
      ? [["none", t("histogram.entries", { count: none, number: number(none) })]]
      : [
          ["ok", t("histogram.ok", { number: number(ok) })],
          ["failed", t("histogram.failed", { number: number(failed) })],
          ...(client > 0 ? ([["client", t("histogram.client", { number: number(client) })]] as const) : []),
        ];
}

function useBarText() {
  const texts = useCountTexts();
  return (counts: Counts) =>
    texts(counts)
      .map(([, text]) => text)
      .join(" · ");
}

interface BarsProps {
  bars: readonly Bar[];
  filter: LogFilterState;
  cursor: ChartCursor;
  onDrag(bars: Bar | undefined): void;
  problem: ReactNode;
}

function together(bars: readonly Bar[]): Bar | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { ...sumOf(bars), from: first.from, to: last.to, isChosen: false };
}

/** Narrows the list to a bar, or with Shift from the chosen bars to it. A second press shows all time again. */
function useBarChoice(bars: readonly Bar[], filter: LogFilterState) {
  const chosen = bars.filter(({ isChosen }) => isChosen);
  const isNarrow = chosen.length > 0 && chosen.length < bars.length;
  const narrow = (times?: Pick<Bar, "from" | "to">) =>
    filter.change({ range: undefined, start_timestamp: times?.from, end_timestamp: times && times.to - 1 }, true);
  const choose = (bar: Bar, isMore: boolean) => {
    if (bar.isChosen && chosen.length === 1) return narrow();
    const [first = bar, last = bar] = isMore && isNarrow ? [chosen[0], chosen.at(-1)] : [];
    narrow({ from: Math.min(first.from, bar.from), to: Math.max(last.to, bar.to) });
  };
  return { choose, narrow, isNarrow };
}

const SERIES = [
  { key: "ok", colour: "var(--mantine-color-anchor)" },
  { key: "failed", colour: "var(--status-danger)" },
  { key: "client", colour: "var(--mantine-color-dimmed)" },
  { key: "none", colour: "var(--mantine-color-dimmed)" },
] as const;

type SeriesKey = (typeof SERIES)[number]["key"];

function chartOf(bars: readonly Bar[], language: string): ChartModel {
  return {
    edges: [...bars.map(({ from }) => from), bars.at(-1)?.to ?? 0],
    series: SERIES.map(({ key, colour }) => ({ key, colour, look: "bars", values: bars.map((bar) => bar[key]) })),
    tickText: (count) => (Number.isInteger(count) ? formatCompact(count, language) : ""),
  };
}

/** Each interval as a button that narrows the list down to it. A drag selects several, and Shift all up to another one. */
function Bars({ bars, filter, cursor, onDrag, problem }: BarsProps) {
  const { t, language } = useTranslation("logs");
  const text = useBarText();
  const { list, tabIndexOf, walkFrom } = useBarWalk(bars.length);
  const { choose, narrow, isNarrow } = useBarChoice(bars, filter);
  const chart = useMemo(() => chartOf(bars, language), [bars, language]);
  return (
    <ChartFrame
      chart={chart}
      cursor={cursor}
      size="small"
      problem={problem}
      onZoom={(from, to) => narrow({ from, to })}
      onDrag={(selected) => onDrag(selected && together(bars.slice(selected.first, selected.last + 1)))}
    >
      <IntervalList ref={list} data-narrow={isNarrow} title={t("histogram.hint")}>
        {bars.map((bar, index) => (
          <li key={bar.from}>
            <button
              type="button"
              className={classes.bar}
              tabIndex={tabIndexOf(index)}
              aria-pressed={isNarrow && bar.isChosen}
              aria-label={t("histogram.bar", { time: partText(bar.from, bar.to), counts: text(bar) })}
              onClick={(event) => choose(bar, event.shiftKey)}
              onKeyDown={walkFrom(index)}
              onFocus={() => cursor.set(index)}
              onBlur={() => cursor.set(undefined)}
            />
          </li>
        ))}
      </IntervalList>
    </ChartFrame>
  );
}

const MINUTES = "YYYY-MM-DD HH:MM".length;

/** Whole days by their dates, other times by the minute. */
function spanText(from: number, to: number): string {
  const ends = [from, to].map((time) => formatTime(time).slice(0, MINUTES));
  return ends.every((end) => end.endsWith(" 00:00")) ? partText(from, to) : ends.join(" – ");
}

interface SummaryProps {
  bars: readonly Bar[];
  dragged: Bar | undefined;
  cursor: ChartCursor;
  isOfLastDays: boolean;
}

function Summary({ bars, dragged, cursor, isOfLastDays }: SummaryProps) {
  const { t } = useTranslation("logs");
  const texts = useCountTexts();
  const index = cursor.use();
  const pointed = dragged ?? (index === undefined ? undefined : bars[index]);
  const { from, to } = pointed ?? { from: bars[0]?.from ?? 0, to: bars.at(-1)?.to ?? 0 };
  return (
    <span className={classes.said}>
      {pointed !== undefined && <span>{partText(from, to)}</span>}
      {pointed === undefined && (
        <span data-last={isOfLastDays} title={spanText(from, to)}>
          {isOfLastDays ? t("histogram.lastDays") : spanText(from, to)}
        </span>
      )}
      <span className="numbers">
        {texts(pointed ?? sumOf(bars)).map(([key, text], place) => (
          <Fragment key={key}>
            {place > 0 && " · "}
            <span className={classes.swatch} data-series={key} aria-hidden="true" />
            {text}
          </Fragment>
        ))}
      </span>
    </span>
  );
}

/** Whether the bars are shown: the choice stored in this browser, else by screen size. */
function useShown() {
  const isNarrow = useCardScreen();
  const [choice, setChoice] = useState(() => readStored(STORAGE_KEY.logHistogram));
  const isShown = choice === undefined ? !isNarrow : choice === "shown";
  const toggle = () => {
    const next = isShown ? "hidden" : "shown";
    writeStored(STORAGE_KEY.logHistogram, next);
    setChoice(next);
  };
  return { isShown, toggle };
}

const NO_BARS: readonly Bar[] = [];

interface LogHistogramProps {
  filter: LogFilterState;
  /** At the end of the head. */
  children: ReactNode;
}

/** Requests by result over the time of the list. A press narrows the list. It can be folded. */
export function LogHistogram({ filter, children }: LogHistogramProps) {
  const { t } = useTranslation("logs");
  const { isShown, toggle } = useShown();
  const isNarrow = useCardScreen();
  const reload = useReloadLogs();
  const cursor = useChartCursor();
  const [dragged, setDragged] = useState<Bar>();
  const open = () => {
    toggle();
    // Chart and list must show the same state of the log.
    if (!isShown) reload();
  };
  const { filters } = filter;
  const { data, error, refetch } = useHistogram(filters, isShown);
  const { range, start_timestamp, end_timestamp } = filters;
  const bars = useMemo(
    () => (data === undefined || error !== null ? NO_BARS : barsOf(data, { range, start_timestamp, end_timestamp })),
    [data, error, range, start_timestamp, end_timestamp],
  );
  return (
    <section className={classes.histogram} aria-label={t("histogram.title")}>
      <div className={classes.head}>
        <UnstyledButton className={classes.toggle ?? ""} aria-expanded={isShown} onClick={open}>
          <IconChevronDown className={classes.chevron} size={16} aria-hidden="true" />
          {t(isNarrow ? "histogram.short" : "histogram.title")}
        </UnstyledButton>
        {isShown && bars.length > 0 && (
          // Without a start the bars show the last days of all time.
          <Summary bars={bars} dragged={dragged} cursor={cursor} isOfLastDays={rangeOf(filters).start === 0} />
        )}
        {children}
      </div>
      {isShown && (
        <Bars
          {...{ bars, filter, cursor }}
          onDrag={setDragged}
          problem={error === null ? undefined : <LoadProblem error={error} onRetry={() => void refetch()} />}
        />
      )}
    </section>
  );
}
