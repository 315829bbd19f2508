import type { Delivery, Receiver } from "@one-api/contract/notifications/receiver";

/** A delivery at the first attempt. */
export function sampleDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: 70,
    receiver_id: 7,
    alerts: ["channel-disabled"],
    count: 3,
    status: "delivered",
    attempts: 1,
    created_at: 1_700_000_000,
    next_at: 1_700_000_000,
    delivered_at: 1_700_000_001,
    error: "",
    ...changes,
  };
}

/** A Slack chat with one delivery. */
export function sampleReceiver(changes: Partial<Receiver> = {}): Receiver {
  return {
    id: 7,
    name: "Ops chat",
    kind: "slack",
    address: "https://hooks.slack.com/…",
    has_secret: false,
    alerts: ["channel-disabled", "audit-broken"],
    marks: [50, 80, 100],
    language: "en",
    quiet_hours: { start: "22:00", end: "07:00", time_zone: "Asia/Shanghai" },
    enabled: true,
    last_delivery: sampleDelivery(),
    ...changes,
  };
}
