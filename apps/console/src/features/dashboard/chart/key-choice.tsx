import { Button } from "@mantine/core";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { byOf } from "../breakdown/dashboard-scope.ts";
import classes from "../dashboard-page.module.css";
import { type DashboardKey, type DashboardSearch, keysFor } from "../dashboard-search.ts";
import { isSplittable } from "./usage-series.ts";

interface KeyChoiceProps {
  search: DashboardSearch;
  isAdmin: boolean;
  /** Gets the focus, as the chip that left it out is gone. */
  focused: DashboardKey | undefined;
  change(changes: DashboardSearch): void;
}

/** Key that splits the chart and groups the rows below it. A press on the pressed one shows the chart's sum alone. */
export function KeyChoice({ search, isAdmin, focused, change }: KeyChoiceProps) {
  const { t } = useTranslation("dashboard");
  const { keys, by } = keysFor(search, isAdmin);
  const { metric = "spend", split } = search;
  const isSplit = !isSplittable(metric) || split === undefined;
  const choose = (key: DashboardKey, isPressed: boolean) =>
    change({ ...byOf(key), split: isPressed && isSplittable(metric) ? 0 : undefined });
  return (
    <div className={classes.choices} role="group" aria-label={t("by.title")}>
      {keys.map((key) => {
        const isPressed = key === by && isSplit;
        return (
          <Button
            key={key}
            size="compact-sm"
            variant={isPressed ? "light" : "default"}
            aria-pressed={isPressed}
            autoFocus={key === focused}
            onClick={() => choose(key, isPressed)}
          >
            {t(`by.${key}`)}
          </Button>
        );
      })}
    </div>
  );
}
