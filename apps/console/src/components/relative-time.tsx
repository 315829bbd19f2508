import { LAST_SECOND } from "@one-api/contract/constants";
import { useSyncExternalStore } from "react";
import { formatTime, formatZone, timeUntil } from "../lib/format.ts";
import { useTranslation } from "../lib/i18n/use-translation.ts";

const TICK_MS = 5_000;
/** Older moments are shown as they are: "213 days ago" finds no day in a calendar. */
const LONGEST_SECONDS = 30 * 86_400;

/** `HH:MM` in `YYYY-MM-DD HH:MM:SS`. */
const CLOCK = { start: 11, end: 16 } as const;

const listeners = new Set<() => void>();
let timer: number | undefined;

/** One timer for all shown moments. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

interface RelativeTimeProps {
  time: number;
  /** Text for 0 and below, and for impossible dates; default a dash. */
  never?: string;
  /** Adds the time of day, which tells moments of the same age apart. */
  hasClock?: boolean;
}

/**
 * A moment (Unix seconds) in short: "44s ago". Hovering shows it as `YYYY-MM-DD HH:MM:SS` with its zone; from 30 days
 * on that is the text.
 */
export function RelativeTime({ time, never = "–", hasClock = false }: RelativeTimeProps) {
  const { language } = useTranslation();
  const text = useSyncExternalStore(subscribe, () =>
    Math.abs(Date.now() / 1_000 - time) < LONGEST_SECONDS ? timeUntil(time, language, "narrow") : undefined,
  );
  if (time <= 0 || time > LAST_SECOND) return <span>{never}</span>;
  const exact = formatTime(time);
  const clock = hasClock && text !== undefined && exact.slice(CLOCK.start, CLOCK.end);
  return (
    <time
      data-short={text !== undefined}
      dateTime={new Date(time * 1_000).toISOString()}
      title={`${exact} ${formatZone(time)}`}
    >
      {text ?? exact}
      {clock !== false && <span data-clock> · {clock}</span>}
    </time>
  );
}
