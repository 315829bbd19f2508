import { Button } from "@mantine/core";
import { LOG_EXPORT_FORMATS } from "@one-api/contract/logs/log";
import { IconDownload, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { MenuButton } from "../../components/floating/menu-button.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { saveFileFrom } from "../../lib/browser/save-text-file.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { exportAddress } from "./log-queries.ts";
import type { LogFilters } from "./log-search.ts";
import classes from "./log-tools.module.css";
import type { LiveLogs } from "./use-live-logs.ts";

/** Exports all entries that the filters match, as a file. */
export function ExportButton({ filters }: { filters: LogFilters }) {
  const { t } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const entries = LOG_EXPORT_FORMATS.map((format) => ({
    id: format,
    label: t(`export.${format}`),
    onSelect: () => saveFileFrom(exportAddress(filters, isAdmin, format)),
  }));
  return (
    <MenuButton
      entries={[{ id: "what", label: t("export.what") }, ...entries]}
      renderButton={(props) => (
        <Button variant="default" leftSection={<IconDownload size={16} />} {...props}>
          {t("export.title")}
        </Button>
      )}
    />
  );
}

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
