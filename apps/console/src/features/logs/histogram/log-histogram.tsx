import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { partText } from "../../../components/charts/part-text.ts";
import { useBarWalk } from "../../../components/charts/use-bar-walk.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { formatInteger, formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { type Histogram, rangeOf, useHistogram, useReloadLogs } from "../log-queries.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./log-histogram.module.css";
import { useBarDrag } from "./use-bar-drag.ts";

/** Entries by the outcome of their request; `none` is of entries without a request, such as top-ups. */
interface Counts {
  readonly ok: number;
  readonly failed: number;
  readonly none: number;
}

const NOTHING: Counts = { ok: 0, failed: 0, none: 0 };

interface Bar extends Counts {
  readonly from: number;
  readonly to: number;
  /** The list is narrowed down to it, or to it and others. */
  readonly isChosen: boolean;
}

function outcomeOf(result: Histogram["counts"][number]["result"]): keyof Counts {
  if (result === "") return "none";
  return result === "ok" ? "ok" : "failed";
}

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce<Counts>(
    (sum, { ok, failed, none }) => ({ ok: sum.ok + ok, failed: sum.failed + failed, none: sum.none + none }),
    NOTHING,
  );
}

/** The intervals, of which some are chosen where the list shows less time than the bars do. */
function barsOf({ edges, counts }: Histogram, { range, ...filters }: LogFilterState["filters"]): Bar[] {
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
  const { ok, failed } = sumOf(bars);
  return ok + failed === 0 ? bars : bars.map((bar) => ({ ...bar, none: 0 }));
}

/** Returns the text of a bar's numbers. */
function useBarText() {
  const { t, language } = useTranslation("logs");
  const number = (value: number) => formatInteger(value, language);
  return ({ ok, failed, none }: Counts) =>
    none > 0
      ? t("histogram.entries", { count: none, number: number(none) })
      : t("histogram.counts", { ok: number(ok), failed: number(failed) });
}

interface BarsProps {
  bars: readonly Bar[];
  filter: LogFilterState;
  onShow(bar: Bar | undefined): void;
}

function together(bars: readonly Bar[]): Bar | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { ...sumOf(bars), from: first.from, to: last.to, isChosen: false };
}

/** Narrows the list down to a bar, or with Shift from the chosen bars to it, or to the bars drawn over. A second press shows all time again. */
function useBarChoice(bars: readonly Bar[], filter: LogFilterState) {
  const chosen = bars.filter(({ isChosen }) => isChosen);
  const isNarrow = chosen.length > 0 && chosen.length < bars.length;
  const narrow = (times?: Pick<Bar, "from" | "to">) =>
    filter.change({ range: undefined, start_timestamp: times?.from, end_timestamp: times && times.to - 1 });
  const choose = (bar: Bar, isMore: boolean) => {
    if (bar.isChosen && chosen.length === 1) return narrow();
    const [first = bar, last = bar] = isMore && isNarrow ? [chosen[0], chosen.at(-1)] : [];
    narrow({ from: Math.min(first.from, bar.from), to: Math.max(last.to, bar.to) });
  };
  const drag = useBarDrag((first, last) => narrow(together(bars.slice(first, last + 1))));
  const { drawn } = drag;
  const isDrawing = drawn !== undefined && drawn.first !== drawn.last;
  const isMarked = (bar: Bar, index: number) =>
    isDrawing ? index >= drawn.first && index <= drawn.last : isNarrow && bar.isChosen;
  return { choose, drag, isMarked, isNarrow: isNarrow || isDrawing };
}

/** Each part of the time as a button that narrows the list down to it; the mouse draws over several, and Shift takes all up to another one. */
function Bars({ bars, filter, onShow }: BarsProps) {
  const { t } = useTranslation("logs");
  const text = useBarText();
  const { list, tabIndexOf, walkFrom } = useBarWalk(bars.length);
  const { choose, drag, isMarked, isNarrow } = useBarChoice(bars, filter);
  const most = Math.max(1, ...bars.map(({ ok, failed, none }) => ok + failed + none));
  const point = (bar: Bar, index: number) => {
    drag.reach(index);
    const { first = index, last = index } = drag.drawn ?? {};
    onShow(drag.drawn === undefined ? bar : together(bars.slice(Math.min(first, index), Math.max(last, index) + 1)));
  };
  return (
    <ol ref={list} className={classes.bars} data-narrow={isNarrow} title={t("histogram.hint")}>
      {bars.map((bar, index) => (
        <li key={bar.from}>
          <button
            type="button"
            className={classes.bar}
            tabIndex={tabIndexOf(index)}
            aria-pressed={isMarked(bar, index)}
            aria-label={t("histogram.bar", { time: partText(bar.from, bar.to), counts: text(bar) })}
            onClick={(event) => choose(bar, event.shiftKey)}
            onMouseDown={(event) => event.button === 0 && drag.begin(index)}
            onKeyDown={walkFrom(index)}
            onMouseEnter={() => point(bar, index)}
            onMouseLeave={() => onShow(undefined)}
            onFocus={() => onShow(bar)}
            onBlur={() => onShow(undefined)}
          >
            <span className={classes.failed} style={{ height: `${(100 * bar.failed) / most}%` }} />
            <span className={classes.ok} style={{ height: `${(100 * bar.ok) / most}%` }} />
            <span className={classes.none} style={{ height: `${(100 * bar.none) / most}%` }} />
          </button>
        </li>
      ))}
    </ol>
  );
}

const MINUTES = "YYYY-MM-DD HH:MM".length;

function spanText(from: number, to: number): string {
  return [from, to].map((time) => formatTime(time).slice(0, MINUTES)).join(" – ");
}

/** Whether the bars are shown: as was chosen in this browser, else where there is room for them. */
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

/** Successful and failed requests over the time of the list, with its filters; a press narrows the list down. It can be folded. */
export default function LogHistogram({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const text = useBarText();
  const { isShown, toggle } = useShown();
  const reload = useReloadLogs();
  const [pointed, setPointed] = useState<Bar>();
  const open = () => {
    toggle();
    // Chart and list must show the same state of the log.
    if (!isShown) reload();
  };
  const { data, error } = useHistogram(filter.filters, isShown);
  const errorText = useErrorText(error);
  const bars = data === undefined || error !== null ? [] : barsOf(data, filter.filters);
  const [first, last] = [bars[0], bars.at(-1)];
  // Without a beginning the bars show the last day of all time.
  const isOfLastDays = pointed === undefined && rangeOf(filter.filters).start === 0;
  const counted = pointed ?? sumOf(bars);
  const time = pointed === undefined ? spanText(first?.from ?? 0, last?.to ?? 0) : partText(pointed.from, pointed.to);
  return (
    <section className={classes.histogram} aria-label={t("histogram.title")}>
      <div className={classes.head}>
        <UnstyledButton className={classes.toggle ?? ""} aria-expanded={isShown} onClick={open}>
          <IconChevronDown className={classes.chevron} size={16} aria-hidden="true" />
          {t("histogram.title")}
        </UnstyledButton>
        {isShown && bars.length > 0 && (
          <span className={classes.said}>
            {isOfLastDays && <span>{t("histogram.lastDays")}</span>}
            <span>{time}</span>
            <span className="numbers">{text(counted)}</span>
          </span>
        )}
        {isShown && errorText !== "" && <span className={classes.said}>{errorText}</span>}
      </div>
      {isShown && <Bars bars={bars} filter={filter} onShow={setPointed} />}
    </section>
  );
}
