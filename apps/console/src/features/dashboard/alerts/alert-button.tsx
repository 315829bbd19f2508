import { ActionIcon, Button } from "@mantine/core";
import type { RuleMetric } from "@one-api/contract/notifications/alert-rule-constants";
import { IconBellPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";

const AlertDialog = lazyPart(() => import("./alert-dialog.tsx"), ["notifications", "refusals"]);

interface AlertButtonProps {
  metric: RuleMetric;
  scope: Scope;
  /** Name of a small chart, which has an icon alone. So has a phone. */
  of?: string;
}

/** Opens the dialog that sets an alert on a chart. */
export function AlertButton({ metric, scope, of }: AlertButtonProps) {
  const { t } = useTranslation("dashboard");
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  const asCards = useCardScreen();
  const label = of === undefined ? t("alerts.set") : t("alerts.setOn", { chart: of });
  return (
    <>
      {of === undefined && !asCards ? (
        <Button variant="default" size="compact-sm" leftSection={<IconBellPlus size={14} />} onClick={open}>
          {label}
        </Button>
      ) : (
        <ActionIcon size="sm" data-tip={t("alerts.set")} aria-label={label} onClick={open}>
          <IconBellPlus size={14} />
        </ActionIcon>
      )}
      {isOpen && <AlertDialog metric={metric} scope={scope} onClose={() => setIsOpen(false)} />}
    </>
  );
}
