import { TOKEN_STATUS } from "@one-api/contract/token";
import type { StatusTone } from "../../../components/status-badge.tsx";

interface StatusLook {
  /** Name of the state, as the texts know it. */
  readonly name: keyof typeof TOKEN_STATUS | "unknown";
  readonly tone: StatusTone;
}

const looks = new Map<number, StatusLook>([
  [TOKEN_STATUS.enabled, { name: "enabled", tone: "good" }],
  [TOKEN_STATUS.disabled, { name: "disabled", tone: "neutral" }],
  [TOKEN_STATUS.expired, { name: "expired", tone: "warning" }],
  [TOKEN_STATUS.exhausted, { name: "exhausted", tone: "danger" }],
]);

/** How a state of a token is named and coloured; others than the four are unknown. */
export function tokenStatusLook(status: number): StatusLook {
  return looks.get(status) ?? { name: "unknown", tone: "neutral" };
}
