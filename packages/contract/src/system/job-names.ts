export const JOB_NAMES = [
  "alert checks",
  "alerts",
  "audit check",
  "audit retention",
  "audit seals",
  "batches",
  "budgets",
  "channel checks",
  "channels",
  "checkpoints",
  "expired rows",
  "failed logins",
  "keep-alive of silent streams",
  "log retention",
  "messages",
  "notifications",
  "options",
  "price list",
  "revoked requests",
  "server report",
] as const;

export type JobName = (typeof JOB_NAMES)[number];
