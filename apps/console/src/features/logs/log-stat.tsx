import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useLogStat } from "./log-queries.ts";
import type { LogFilters } from "./log-search.ts";
import classes from "./log-stat.module.css";

/** The total of the consumption that the filters leave, added up on a click; then it follows the filters. */
export function LogStat({ filters }: { filters: LogFilters }) {
  const { t, i18n } = useTranslation("logs");
  const [isShown, setIsShown] = useState(false);
  const stat = useLogStat(filters, isShown);
  const show = () => {
    setIsShown(true);
    if (stat.isError) void stat.refetch();
  };
  return (
    <dl className={classes.stat} aria-live="polite">
      <div className={classes.figure}>
        <dt>{t("stat.quota")}</dt>
        <dd>
          {(!isShown || stat.isError) && (
            <Button variant="default" size="compact-sm" leftSection={<IconEye size={16} />} onClick={show}>
              {t("stat.click")}
            </Button>
          )}
          {isShown && stat.isPending && <Skeleton height={20} width={96} aria-label={t("stat.loading")} />}
          {isShown && stat.data !== undefined && <QuotaText quota={stat.data.quota} />}
        </dd>
      </div>
      {isShown && stat.data !== undefined && (
        <>
          <div className={classes.figure}>
            <dt>{t("stat.tokens")}</dt>
            <dd className="numbers">{formatInteger(stat.data.token, i18n.language)}</dd>
          </div>
          <ActionIcon className={classes.hide} aria-label={t("stat.hide")} onClick={() => setIsShown(false)}>
            <IconEyeOff size={16} />
          </ActionIcon>
        </>
      )}
    </dl>
  );
}
