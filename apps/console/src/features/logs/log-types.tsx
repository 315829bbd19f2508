import { type Log, LOG_TYPE } from "@one-api/contract/logs/log";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";

/** Types in the order of their numbers, with the key of their name and what their badge looks like. */
export const LOG_TYPES = [
  { type: LOG_TYPE.topUp, name: "topUp", tone: "good" },
  { type: LOG_TYPE.consumption, name: "consumption", tone: "neutral" },
  { type: LOG_TYPE.management, name: "management", tone: "info" },
  { type: LOG_TYPE.system, name: "system", tone: "neutral" },
  { type: LOG_TYPE.test, name: "test", tone: "neutral" },
  { type: LOG_TYPE.refund, name: "refund", tone: "good" },
] as const satisfies readonly { type: number; name: string; tone: StatusTone }[];

export function isModelCall(type: number): boolean {
  return type === LOG_TYPE.consumption || type === LOG_TYPE.test;
}

export function useLogTypeName(): (type: number) => string {
  const { t } = useTranslation("logs", "common");
  return (type) => {
    const known = LOG_TYPES.find((entry) => entry.type === type);
    return known === undefined ? t("common:unknownType", { type }) : t(`logs:types.${known.name}`);
  };
}

/** The type of an entry. How a request ended is what its result says. */
export function LogTypeBadge({ log }: { log: Log }) {
  const nameOf = useLogTypeName();
  const tone = LOG_TYPES.find(({ type }) => type === log.type)?.tone ?? "neutral";
  return <StatusBadge tone={tone}>{nameOf(log.type)}</StatusBadge>;
}
