import type { Log } from "@one-api/contract/logs/log";
import { IconFlask } from "@tabler/icons-react";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";

/** Leads to the playground with the stored request; without one, with its model. */
export function OpenInPlayground({ log, hasBodies }: { log: Log; hasBodies: boolean }) {
  const { t } = useTranslation("logs");
  return (
    <ButtonLink
      variant="default"
      size="compact-sm"
      leftSection={<IconFlask size={14} />}
      to="/playground"
      search={hasBodies ? { replay: log.id } : { model: log.model_name }}
    >
      {t(hasBodies ? "bodies.replay" : "sheet.playground")}
    </ButtonLink>
  );
}
