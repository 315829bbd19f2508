import { LOG_TYPE } from "@one-api/contract/log";
import type { StatusTone } from "../../components/status-badge.tsx";

/** Types in the order of their numbers, with the key of their name and what their badge looks like. */
export const LOG_TYPES = [
  { type: LOG_TYPE.topUp, name: "topUp", tone: "good" },
  { type: LOG_TYPE.consumption, name: "consumption", tone: "neutral" },
  { type: LOG_TYPE.management, name: "management", tone: "info" },
  { type: LOG_TYPE.system, name: "system", tone: "neutral" },
  { type: LOG_TYPE.test, name: "test", tone: "neutral" },
] as const satisfies readonly { type: number; name: string; tone: StatusTone }[];

/** True for entries that a call of a model has made. */
export function isModelCall(type: number): boolean {
  return type === LOG_TYPE.consumption || type === LOG_TYPE.test;
}
