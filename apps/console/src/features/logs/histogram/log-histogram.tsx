import { UnstyledButton } from "@mantine/core";
import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { partText } from "../../../components/charts/part-text.ts";
import { useBarWalk } from "../../../components/charts/use-bar-walk.ts";
import { formatInteger, formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { rangeOf, useReloadLogs } from "../log-queries.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./log-histogram.module.css";
import { partOf, useHistogram } from "./usage-of-log.ts";
import { useBarDrag } from "./use-bar-drag.ts";

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly ok: number;
  readonly failed: number;
  /** The list is narrowed down to it, or to it and others. */
  readonly isChosen: boolean;
}

/** The parts of the time, of which some are chosen where the list shows less than the bars do. */
function barsOf({ edges, parts }: Dashboard, { range, ...filters }: LogFilterState["filters"]): Bar[] {
  const { start, end } = rangeOf(filters);
  return parts.map(({ requests, errors }, index) => {
    const [from = 0, to = 0] = [edges[index], edges[index + 1]];
    const isChosen = range === undefined && to > start && from <= end;
    return { from, to, ok: requests - errors, failed: errors, isChosen };
  });
}

/** What bars say in words. */
function useBarText() {
  const { t, language } = useTranslation("logs");
  return ({ ok, failed }: Pick<Bar, "ok" | "failed">) =>
    t("histogram.counts", { ok: formatInteger(ok, language), failed: formatInteger(failed, language) });
}

interface BarsProps {
  bars: readonly Bar[];
  filter: LogFilterState;
  onShow(bar: Bar | undefined): void;
}

/** Some bars as one. */
function together(bars: readonly Bar[]): Bar | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const sum = (part: "ok" | "failed") => bars.reduce((total, bar) => total + bar[part], 0);
  return { from: first.from, to: last.to, ok: sum("ok"), failed: sum("failed"), isChosen: false };
}

/** What narrows the list down to a bar and again to no time, or with Shift to everything from the chosen ones to it, and to bars that are drawn over. */
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
  const most = Math.max(1, ...bars.map(({ ok, failed }) => ok + failed));
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

/** How many requests went well and how many failed over the time of the list; a press narrows the list down. It can be folded. */
export default function LogHistogram({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const text = useBarText();
  const { isShown, toggle } = useShown();
  const reload = useReloadLogs();
  const [pointed, setPointed] = useState<Bar>();
  const open = () => {
    toggle();
    // The chart counts what is in the log now: the list shows the same.
    if (!isShown) reload();
  };
  const isTold = partOf(filter.filters, useIsAdmin()) !== undefined;
  const { data } = useHistogram(filter.filters, isShown);
  const bars = data === undefined || !isTold ? [] : barsOf(data, filter.filters);
  const [first, last] = [bars[0], bars.at(-1)];
  // Without a beginning the bars show the last day of all time.
  const isOfLastDay = pointed === undefined && rangeOf(filter.filters).start === 0;
  const counted = pointed ?? {
    ok: bars.reduce((sum, { ok }) => sum + ok, 0),
    failed: bars.reduce((sum, { failed }) => sum + failed, 0),
  };
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
            {isOfLastDay && <span>{t("histogram.lastDay")}</span>}
            <span>{time}</span>
            <span className="numbers">{text(counted)}</span>
          </span>
        )}
        {isShown && !isTold && <span className={classes.said}>{t("histogram.none")}</span>}
      </div>
      {isShown && isTold && <Bars bars={bars} filter={filter} onShow={setPointed} />}
    </section>
  );
}
