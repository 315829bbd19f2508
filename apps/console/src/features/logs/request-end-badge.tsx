import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { knownEnd, toneOfEnd } from "./request-end.ts";

/** How a request ended. */
export function RequestEndBadge({ end }: { end: string }) {
  const { t } = useTranslation("logs");
  const known = knownEnd(end);
  return <StatusBadge tone={toneOfEnd(end)}>{known === undefined ? end : t(`end.${known}`)}</StatusBadge>;
}
