import { ActionIcon, Button } from "@mantine/core";
import type { RuleMetric } from "@one-api/contract/notifications/alert-rule-constants";
import { IconBellPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";

const AlertDialog = lazyPart(() => import("./alert-dialog.tsx"), ["notifications", "refusals"]);

interface AlertButtonProps {
  metric: RuleMetric;
  scope: Scope;
  /** An icon alone, for a small chart. Its name is that of the chart. */
  of?: string;
}

/** Opens the dialog that sets an alert on a chart. */
export function AlertButton({ metric, scope, of }: AlertButtonProps) {
  const { t } = useTranslation("dashboard");
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  return (
    <>
      {of === undefined ? (
        <Button variant="default" size="compact-sm" leftSection={<IconBellPlus size={14} />} onClick={open}>
          {t("alerts.set")}
        </Button>
      ) : (
        <ActionIcon size="sm" data-tip={t("alerts.set")} aria-label={t("alerts.setOn", { chart: of })} onClick={open}>
          <IconBellPlus size={14} />
        </ActionIcon>
      )}
      {isOpen && <AlertDialog metric={metric} scope={scope} onClose={() => setIsOpen(false)} />}
    </>
  );
}
