const LIMIT_WINDOW = { minute: 60, fiveHours: 18_000, day: 86_400 } as const;

export const LIMIT_KINDS = ["requests", "images", "tokens", "concurrent"] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

/** Every limit that a token or a user may have. `unit` is the amount of 1 in the field; 0 `seconds` is a count at one moment. */
export const LIMITS = [
  { field: "rpm_limit", kind: "requests", seconds: LIMIT_WINDOW.minute, unit: 1 },
  { field: "dpm_limit", kind: "images", seconds: LIMIT_WINDOW.minute, unit: 1 },
  { field: "tpm_limit", kind: "tokens", seconds: LIMIT_WINDOW.minute, unit: 1_000 },
  { field: "concurrent_limit", kind: "concurrent", seconds: 0, unit: 1 },
  { field: "requests_5h_limit", kind: "requests", seconds: LIMIT_WINDOW.fiveHours, unit: 1 },
  { field: "tokens_5h_limit", kind: "tokens", seconds: LIMIT_WINDOW.fiveHours, unit: 1_000 },
  { field: "requests_day_limit", kind: "requests", seconds: LIMIT_WINDOW.day, unit: 1 },
  { field: "tokens_day_limit", kind: "tokens", seconds: LIMIT_WINDOW.day, unit: 1_000 },
] as const satisfies readonly {
  readonly field: string;
  readonly kind: LimitKind;
  readonly seconds: number;
  readonly unit: number;
}[];

export type LimitField = (typeof LIMITS)[number]["field"];

export type LimitValues = Readonly<Partial<Record<LimitField, number | undefined>>>;

export const MAX_LIMIT = 10_000_000;

export const FURTHER_LIMITS = [
  "concurrent_limit",
  "requests_5h_limit",
  "tokens_5h_limit",
  "requests_day_limit",
  "tokens_day_limit",
] as const satisfies readonly LimitField[];

export const LIMIT_FIELDS = ["rpm_limit", "dpm_limit", "tpm_limit", ...FURTHER_LIMITS] as const;
