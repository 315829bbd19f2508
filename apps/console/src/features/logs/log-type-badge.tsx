import type { Log } from "@one-api/contract/log";
import { StatusBadge } from "../../components/status-badge.tsx";
import { LOG_TYPES } from "./log-types.ts";
import { readLogDetail } from "./read-log-detail.ts";
import { toneOfEnd } from "./request-end.ts";
import { useLogTypeName } from "./use-log-type-name.ts";

/** The type of an entry; the dot of a request that did not end well says so, the details say how. */
export function LogTypeBadge({ log }: { log: Log }) {
  const nameOf = useLogTypeName();
  const end = readLogDetail(log)?.end ?? "";
  const tone = LOG_TYPES.find(({ type }) => type === log.type)?.tone ?? "neutral";
  return <StatusBadge tone={end === "" || end === "complete" ? tone : toneOfEnd(end)}>{nameOf(log.type)}</StatusBadge>;
}
