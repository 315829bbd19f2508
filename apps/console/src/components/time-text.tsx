import { LAST_SECOND } from "@one-api/contract/constants";
import { formatDate, formatTime, formatZone, timeUntil } from "../lib/format.ts";

interface TimeTextProps {
  time: number;
  dateOnly?: boolean;
  never?: string;
}

/** A moment in the viewer's zone, as `YYYY-MM-DD HH:MM:SS`; how long ago it was, and the zone, on hover. */
export function TimeText({ time, dateOnly = false, never = "–" }: TimeTextProps) {
  if (time <= 0 || time > LAST_SECOND) return <span>{never}</span>;
  const exact = dateOnly ? `${formatTime(time)} ${formatZone(time)}` : formatZone(time);
  return (
    <time
      dateTime={new Date(time * 1_000).toISOString()}
      title={exact}
      data-short={dateOnly}
      // Computed on hover, since the page may be older.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = `${timeUntil(time, document.documentElement.lang)} · ${exact}`;
      }}
    >
      {dateOnly ? formatDate(time) : formatTime(time)}
    </time>
  );
}
