import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../../components/boxes/card.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useLogStat } from "./log-queries.ts";
import type { LogFilters } from "./log-search.ts";
import classes from "./log-stat.module.css";

/** The total of the consumption that the filters leave, added up on a click; then it follows the filters. */
export function LogStat({ filters }: { filters: LogFilters }) {
  const { t, language } = useTranslation("logs");
  const [isShown, setIsShown] = useState(false);
  const stat = useLogStat(filters, isShown);
  const show = () => {
    setIsShown(true);
    if (stat.isError) void stat.refetch();
  };
  const hide = (
    <ActionIcon aria-label={t("stat.hide")} onClick={() => setIsShown(false)}>
      <IconEyeOff size={16} />
    </ActionIcon>
  );
  const total = isShown ? stat.data : undefined;
  return (
    <div className={classes.total}>
      <Card isCompact>
        <Stats action={total !== undefined && hide}>
          <Stat label={t("stat.quota")}>
            {(!isShown || stat.isError) && (
              <Button variant="default" size="compact-sm" leftSection={<IconEye size={16} />} onClick={show}>
                {t("stat.click")}
              </Button>
            )}
            {isShown && stat.isPending && <Skeleton height={20} width={96} aria-label={t("stat.loading")} />}
            {total !== undefined && <QuotaText quota={total.quota} />}
          </Stat>
          {total !== undefined && <Stat label={t("stat.tokens")}>{formatInteger(total.token, language)}</Stat>}
        </Stats>
      </Card>
    </div>
  );
}
