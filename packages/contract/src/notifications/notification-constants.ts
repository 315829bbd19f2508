/** Kinds of receivers. A type of its own for each vendor's format. */
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

/** Whether a kind of receiver has a secret beside its address. */
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
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "audit-broken",
  "channel-enabled",
  "budget-used",
  "prices-changed",
  "prices-found",
  "daily-digest",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** Alerts that root gets while no receiver is enabled. */
export const ROOT_ALERTS: ReadonlySet<AlertKind> = new Set([
  "channel-disabled",
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "audit-broken",
]);

/** Alerts that are sent in quiet hours, too. */
export const URGENT_ALERTS: ReadonlySet<AlertKind> = new Set(["channel-disabled", "channel-spent", "audit-broken"]);

export const RECEIVER_LIMITS = {
  nameLength: 64,
  addressLength: 2_048,
  secretLength: 256,
  receivers: 50,
} as const;

export const RECEIVER_LANGUAGES = ["en", "zh-CN"] as const;

/** Values of the form of a new receiver. */
export const QUIET_DEFAULTS = { start: "22:00", end: "07:00" } as const;
