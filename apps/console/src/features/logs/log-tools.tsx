import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./log-tools.module.css";
import type { LiveLogs } from "./use-live-logs.ts";

export function LiveButton({ live }: { live: LiveLogs }) {
  const { t } = useTranslation("logs");
  return (
    <Button
      variant="default"
      aria-pressed={live.isOn}
      title={live.isOn ? t("live.stop") : t("live.start")}
      leftSection={live.isOn ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
      rightSection={live.isOn && <span className={classes.pulse} aria-hidden="true" />}
      onClick={live.toggle}
    >
      {t("live.title")}
    </Button>
  );
}

/** Announces waiting entries above the list, without moving it. */
export function WaitingLogs({ live: { waiting, isCut, show } }: { live: LiveLogs }) {
  const { t } = useTranslation("logs");
  return (
    <div className={classes.waiting} role="status">
      {waiting > 0 && (
        <Button size="compact-sm" onClick={show}>
          {t(isCut ? "live.waitingCut" : "live.waiting", { count: waiting })}
        </Button>
      )}
    </div>
  );
}
