import { Button } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { Sheet } from "../../dialogs/sheet.tsx";
import classes from "./filter-sheet.module.css";

interface FilterSheetProps {
  count: number;
  onClear: (() => void) | undefined;
  children: ReactNode;
}

/** All filters of narrow screens: one button, which says how many are set, and opens them in a sheet from below. */
export function FilterSheet({ count, onClear, children }: FilterSheetProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        className={classes.button}
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {count === 0 ? t("filters") : `${t("filters")} (${count})`}
      </Button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={t("filters")}
        isShort
        foot={
          <>
            <Button variant="default" disabled={count === 0} onClick={() => onClear?.()}>
              {t("noMatch.clear")}
            </Button>
            <Button onClick={() => setOpened(false)}>{t("filtersDone")}</Button>
          </>
        }
      >
        <div className={classes.fields}>{children}</div>
      </Sheet>
    </>
  );
}
