const units = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
] as const;

/** How far a moment (Unix seconds) is from now, in words of the language: "in 30 days". */
export function timeUntil(time: number, language: string): string {
  const distance = time - Date.now() / 1_000;
  const step = units.find(({ seconds }) => Math.round(Math.abs(distance) / seconds) >= 1) ?? {
    unit: "second",
    seconds: 1,
  };
  return new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(
    Math.round(distance / step.seconds),
    step.unit,
  );
}
