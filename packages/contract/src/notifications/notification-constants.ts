export const RECEIVER_KINDS = [
  "webhook",
  "slack",
  "feishu",
  "dingtalk",
  "wecom",
  "telegram",
  "discord",
  "mail",
] as const;

export type ReceiverKind = (typeof RECEIVER_KINDS)[number];

export const RECEIVER_SECRETS: Readonly<Record<ReceiverKind, "none" | "optional" | "required">> = {
  webhook: "required",
  slack: "none",
  feishu: "optional",
  dingtalk: "optional",
  wecom: "none",
  telegram: "required",
  discord: "none",
  mail: "none",
};

export const ALERT_KINDS = [
  "channel-disabled",
  "channel-key-disabled",
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "audit-broken",
  "channel-enabled",
  "budget-used",
  "balance-used",
  "certificate-expiring",
  "model-without-price",
  "key-expiring",
  "prices-changed",
  "prices-found",
  "daily-digest",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

export const CHANNEL_ALERTS: readonly AlertKind[] = ALERT_KINDS.filter((kind) => kind.startsWith("channel-"));

/** All kinds of alerts: those that a receiver chooses, and that of a rule, which names its receiver. */
export const SENT_ALERT_KINDS = [...ALERT_KINDS, "threshold-crossed"] as const;

export type SentAlertKind = (typeof SENT_ALERT_KINDS)[number];

/** Parts of a budget or a balance, in percent, whose use is reported. */
export const USE_MARKS = [50, 80, 100] as const;

export type UseMark = (typeof USE_MARKS)[number];

export const ALERTS_WITH_MARKS: ReadonlySet<AlertKind> = new Set(["budget-used", "balance-used"]);

/** Days before the end of a certificate or key at which it is reported. */
export const EXPIRY_DAYS = [14, 3, 0] as const;

/** Alerts that root gets while no receiver is enabled. */
export const ROOT_ALERTS: ReadonlySet<AlertKind> = new Set([
  "channel-disabled",
  "channel-key-disabled",
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "audit-broken",
  "certificate-expiring",
  "model-without-price",
]);

/** Alerts that are sent in quiet hours, too. */
export const URGENT_ALERTS: ReadonlySet<SentAlertKind> = new Set(["channel-disabled", "channel-spent", "audit-broken"]);

export const RECEIVER_LIMITS = {
  nameLength: 64,
  addressLength: 2_048,
  secretLength: 256,
  receivers: 50,
} as const;

export const RECEIVER_LANGUAGES = ["en", "zh-CN"] as const;

export const QUIET_DEFAULTS = { start: "22:00", end: "07:00" } as const;
