import type { CSSProperties, ReactNode } from "react";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { ChartCursor } from "./chart-cursor.ts";
import type { ChartModel } from "./chart-model.ts";
import { type SelectedIntervals, usePlotDrag } from "./use-plot-drag.ts";
import classes from "./chart-frame.module.css";

const Plot = laterPart(() => import("./plot/plot.tsx"));

interface ChartFrameProps {
  chart: ChartModel;
  cursor: ChartCursor;
  size: "large" | "small";
  /** Receives the selected time in Unix seconds, its end excluded, after a drag. */
  onZoom?: (from: number, to: number) => void;
  /** Receives the intervals that a drag selects while it lasts, and undefined at its end. */
  onDrag?: (selected: SelectedIntervals | undefined) => void;
  /** The intervals as a list, and marks. They lie over the plot, and intervals share its width. */
  children?: ReactNode;
  /** Takes the place of everything: the values could not be loaded. */
  problem?: ReactNode;
}

function placeOf(first: number, last: number, count: number): CSSProperties {
  return { left: `${(100 * first) / count}%`, width: `${(100 * (last + 1 - first)) / count}%` };
}

function CursorBand({ cursor, count }: { cursor: ChartCursor; count: number }) {
  const index = cursor.use();
  if (index === undefined || index >= count) return null;
  return <div className={classes.cursor} style={placeOf(index, index, count)} />;
}

/** A chart of intervals with axes. It is a picture: a list in `children` or beside it says the same in words. */
export function ChartFrame({ chart, cursor, size, onZoom, onDrag, children, problem }: ChartFrameProps) {
  const { edges } = chart;
  const count = Math.max(1, edges.length - 1);
  const { selected, handlers } = usePlotDrag({
    count,
    cursor,
    onSelect: onZoom && (({ first, last }) => onZoom(edges[first] ?? 0, edges[last + 1] ?? 0)),
    onDrag,
  });
  if (problem !== undefined) {
    return (
      <div className={`${classes.frame} ${classes.problem}`} data-size={size}>
        {problem}
      </div>
    );
  }
  return (
    <div className={classes.frame} data-size={size}>
      <div className={classes.picture} aria-hidden="true">
        <Plot timesWanted={1} instead={null} props={{ chart, size }} />
      </div>
      <div className={classes.area} data-zoom={onZoom !== undefined} {...handlers}>
        <CursorBand cursor={cursor} count={count} />
        {selected !== undefined && (
          <div className={classes.selected} style={placeOf(selected.first, selected.last, count)} />
        )}
        {children}
      </div>
    </div>
  );
}
