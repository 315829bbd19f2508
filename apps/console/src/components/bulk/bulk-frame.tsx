import { Button, CloseButton, Progress } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { MenuButton } from "../floating/menu-button.tsx";
import type { MenuEntry } from "../floating/menu-entry.ts";
import classes from "./bulk-frame.module.css";

export interface BulkProgress {
  readonly done: number;
  readonly total: number;
}

function BulkButtons({ entries }: { entries: readonly MenuEntry[] }) {
  const { t } = useTranslation("bulk");
  const asCards = useCardScreen();
  const inBar = asCards ? [] : entries;
  return (
    <div className={classes.actions}>
      {inBar.map(({ id, label, tone, isDisabled, onSelect: act }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          {...(tone === "danger" ? { color: "danger", variant: "light" } : {})}
          disabled={isDisabled === true}
          onClick={act}
        >
          {label}
        </Button>
      ))}
      {asCards && (
        <MenuButton
          entries={entries}
          renderButton={(button) => (
            <Button variant="default" leftSection={<IconDots size={16} />} {...button}>
              {t("actions")}
            </Button>
          )}
        />
      )}
    </div>
  );
}

interface BulkFrameProps {
  label: string;
  count: number;
  progress: BulkProgress | undefined;
  entries: readonly MenuEntry[];
  more?: ReactNode;
  onClear(): void;
}

/** Bar under a list with chosen rows: their number, progress of a run, and actions. */
export function BulkFrame({ label, count, progress, entries, more, onClear }: BulkFrameProps) {
  const { t } = useTranslation("bulk");
  if (count === 0 && progress === undefined) return null;
  return (
    <section className={classes.bar} aria-label={label} data-over-toasts>
      <span className={classes.count} role="status">
        {progress === undefined ? t("selected", { count }) : t("running", { ...progress })}
      </span>
      {progress === undefined ? (
        more !== undefined && <span className={classes.all}>{more}</span>
      ) : (
        <Progress
          className={classes.progress ?? ""}
          value={(progress.done / progress.total) * 100}
          size={4}
          aria-label={label}
        />
      )}
      <BulkButtons entries={entries} />
      <CloseButton aria-label={t("clear")} title={t("clear")} onClick={onClear} />
    </section>
  );
}
