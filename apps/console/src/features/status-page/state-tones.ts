import type { AvailabilityState } from "@one-api/contract/usage/availability";
import type { StatusTone } from "../../components/status-badge.tsx";

export const TONES: Readonly<Record<AvailabilityState, StatusTone>> = {
  works: "good",
  troubled: "warning",
  fails: "danger",
  few: "warning",
  unused: "neutral",
};
