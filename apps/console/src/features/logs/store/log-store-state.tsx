import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { formatPercent } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { LogStore } from "./log-store-query.ts";
import classes from "./log-store-state.module.css";

function useStateText(): (store: LogStore) => string {
  const { t, language } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  return ({ state, progress }) => {
    if (state === "off") return t(isAdmin ? "store.off" : "store.offForUsers");
    if (state === "stalled") return t(isAdmin ? "store.stalled" : "store.stalledForUsers");
    return t("store.rebuilding", { progress: formatPercent(progress, language, 0, "floor") });
  };
}

/** The state of the log store in a line. It changes every few seconds, so a screen reader does not announce it. */
export default function LogStoreState({ store }: { store: LogStore }) {
  const { t } = useTranslation("logs");
  const text = useStateText();
  const isTrouble = store.state === "off" || store.state === "stalled";
  const Icon = isTrouble ? IconAlertTriangle : IconInfoCircle;
  return (
    <p className={classes.notice} role="note" aria-label={t("store.title")} data-tone={isTrouble ? "warning" : "info"}>
      <Icon size={16} aria-hidden="true" />
      <span>{text(store)}</span>
    </p>
  );
}
