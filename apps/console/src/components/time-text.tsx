import { formatDate, formatTime, formatZone } from "../lib/format.ts";

interface TimeTextProps {
  /** Unix seconds. */
  time: number;
  /** Shows the date alone. */
  dateOnly?: boolean;
  /** What stands for 0 and below; default a dash. */
  never?: string;
}

/** A moment in the viewer's zone, as `YYYY-MM-DD HH:MM:SS`; the zone on hover. */
export function TimeText({ time, dateOnly = false, never = "–" }: TimeTextProps) {
  if (time <= 0) return <span>{never}</span>;
  return (
    <time
      dateTime={new Date(time * 1_000).toISOString()}
      title={dateOnly ? `${formatTime(time)} ${formatZone(time)}` : formatZone(time)}
    >
      {dateOnly ? formatDate(time) : formatTime(time)}
    </time>
  );
}
