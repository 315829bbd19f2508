const TIME_LABELS = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  dayOfWeek: { weekday: "short" },
  weekday: { weekday: "short", day: "numeric" },
  day: { month: "short", day: "numeric" },
  month: { month: "short", year: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A short label of a moment (Unix seconds) on a time axis: `14:00`, `Sat`, `Sat 21`, `21 Nov`, `Nov 2026`. */
export function formatTimeLabel(unixSeconds: number, unit: keyof typeof TIME_LABELS, language: string): string {
  const label = new Intl.DateTimeFormat(language, TIME_LABELS[unit]).format(unixSeconds * 1_000);
  // Day and weekday read as one word in Chinese.
  return label.replace("日周", "日 周");
}
