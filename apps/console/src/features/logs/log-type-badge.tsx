import { StatusBadge } from "../../components/status-badge.tsx";
import { LOG_TYPES } from "./log-types.ts";
import { useLogTypeName } from "./use-log-type-name.ts";

/** The type of an entry. */
export function LogTypeBadge({ type }: { type: number }) {
  const nameOf = useLogTypeName();
  return <StatusBadge tone={LOG_TYPES.find((entry) => entry.type === type)?.tone ?? "neutral"}>{nameOf(type)}</StatusBadge>;
}
