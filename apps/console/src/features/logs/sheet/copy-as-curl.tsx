import { Button } from "@mantine/core";
import type { Log } from "@one-api/contract/logs/log";
import { IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { showError } from "../../../lib/api/show-error.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useServerAddress } from "../../../lib/state/stored-status.ts";
import { useReadLogBodies } from "../log-queries.ts";
import { logAsCurl } from "./log-as-curl.ts";

/** Copies the request of an entry as a command. Loads the stored body only then, because root's access is audited. */
export function CopyAsCurl({ log, hasBodies }: { log: Log; hasBodies: boolean }) {
  const { t } = useTranslation("logs");
  const copy = useCopy();
  const address = useServerAddress();
  const readBodies = useReadLogBodies();
  const [isBusy, setIsBusy] = useState(false);
  const copyIt = async () => {
    const kept = hasBodies ? await readBodies(log.id) : undefined;
    const request = kept === undefined || kept.request_is_truncated || kept.request === "" ? undefined : kept.request;
    const command = logAsCurl(log, address, t("curl.sample"), request);
    await copy(command, t(request === undefined ? "curl.copiedSample" : "curl.copied"));
  };
  const onClick = () => {
    setIsBusy(true);
    void copyIt()
      .catch(showError)
      .finally(() => setIsBusy(false));
  };
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconCopy size={14} />} loading={isBusy} onClick={onClick}>
      {t("curl.copy")}
    </Button>
  );
}
