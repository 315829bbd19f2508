import { CHANNEL_STATUS } from "@one-api/contract/channel";
import type { StatusTone } from "../../../components/status-badge.tsx";

/** Name of a channel's state, as the texts know it. */
type ChannelStatusName = keyof typeof CHANNEL_STATUS | "unknown";

interface StatusLook {
  readonly name: ChannelStatusName;
  readonly tone: StatusTone;
}

const looks = new Map<number, StatusLook>([
  [CHANNEL_STATUS.enabled, { name: "enabled", tone: "good" }],
  [CHANNEL_STATUS.disabled, { name: "disabled", tone: "neutral" }],
  [CHANNEL_STATUS.autoDisabled, { name: "autoDisabled", tone: "danger" }],
  [CHANNEL_STATUS.dormant, { name: "dormant", tone: "warning" }],
  [CHANNEL_STATUS.reserve, { name: "reserve", tone: "info" }],
]);

/** How a state of a channel is named and coloured; others than the five are unknown. */
export function channelStatusLook(status: number): StatusLook {
  return looks.get(status) ?? { name: "unknown", tone: "neutral" };
}
