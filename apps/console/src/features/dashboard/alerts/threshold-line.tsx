import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { roundToDigits } from "../../../lib/format.ts";
import classes from "./alerts.module.css";

interface ThresholdLineProps {
  /** Ends of the axis that the line lies on, and its value, in the unit of the axis. */
  range: readonly [least: number, most: number];
  value: number;
  label: string;
  valueText: string;
  onChange(value: number): void;
  /** The axis stays as it is during a drag. */
  onDrag(isDragging: boolean): void;
}

/** Steps of the arrow keys on the whole axis. */
const STEPS = 50;
const DIGITS = 2;

/** A threshold on a chart: a line that is dragged, or moved by arrow keys. */
export function ThresholdLine({ range: [least, most], value, label, valueText, onChange, onDrag }: ThresholdLineProps) {
  const [isDragging, setIsDragging] = useState(false);
  const within = (next: number) => roundToDigits(Math.min(most, Math.max(least, next)), DIGITS);
  const drag = (event: PointerEvent<HTMLElement>, isNow: boolean) => {
    if (isNow) event.currentTarget.setPointerCapture(event.pointerId);
    setIsDragging(isNow);
    onDrag(isNow);
  };
  const move = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
    const area = currentTarget.parentElement?.getBoundingClientRect();
    if (!isDragging || area === undefined || area.height === 0) return;
    onChange(within(most - ((clientY - area.top) / area.height) * (most - least)));
  };
  const press = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    onChange(within(value + (direction * (most - least)) / STEPS));
  };
  const place = Math.min(100, Math.max(0, (100 * (most - value)) / (most - least)));
  return (
    <div
      className={classes.line}
      style={{ top: `${place}%` }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={value}
      aria-valuetext={valueText}
      onPointerDown={(event) => drag(event, true)}
      onPointerMove={move}
      onPointerUp={(event) => drag(event, false)}
      onPointerCancel={(event) => drag(event, false)}
      onKeyDown={press}
    >
      <span className={classes.value}>{valueText}</span>
    </div>
  );
}
