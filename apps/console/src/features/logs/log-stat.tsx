import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useLogStat } from "./log-queries.ts";
import type { LogFilters } from "./log-search.ts";
import classes from "./log-stat.module.css";

/** Focuses the button that replaces the pressed one. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true });
}

/** Total of the consumption that the filters match, computed on a click; later it follows the filters. */
export function LogStat({ filters }: { filters: LogFilters }) {
  const { t, language } = useTranslation("logs");
  const [isWanted, setIsWanted] = useState<boolean>();
  const stat = useLogStat(filters, isWanted === true);
  const show = () => {
    setIsWanted(true);
    if (stat.isError) void stat.refetch();
  };
  const isShown = isWanted === true && !stat.isError;
  const ref = isWanted === undefined ? null : takeFocus;
  const hide = (
    <ActionIcon ref={ref} aria-label={t("stat.hide")} onClick={() => setIsWanted(false)}>
      <IconEyeOff size={16} />
    </ActionIcon>
  );
  // All of it stands at once, so that nothing below moves when the numbers come.
  const wait = <Skeleton height={20} width={96} aria-label={t("stat.loading")} />;
  return (
    <div className={classes.total}>
      <dl className={classes.stats} aria-live="polite">
        <div className={classes.stat}>
          <dt>{t("stat.quota")}</dt>
          <dd className="numbers">
            {!isShown && (
              <Button ref={ref} variant="default" size="compact-sm" leftSection={<IconEye size={16} />} onClick={show}>
                {t("stat.click")}
              </Button>
            )}
            {isShown && (stat.data === undefined ? wait : <QuotaText quota={stat.data.quota} />)}
          </dd>
        </div>
        {isShown && (
          <div className={classes.stat}>
            <dt>{t("stat.tokens")}</dt>
            <dd className="numbers">{stat.data === undefined ? wait : formatInteger(stat.data.token, language)}</dd>
          </div>
        )}
      </dl>
      {isShown && hide}
    </div>
  );
}
