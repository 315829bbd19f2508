import { Button } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../options/options.module.css";

interface SectionFootProps {
  section: string;
  changes: number;
  isSaving: boolean;
  onDiscard(): void;
}

/** Buttons of a section's form, with the number of unsaved changes. */
export function SectionFoot({ section, changes, isSaving, onDiscard }: SectionFootProps) {
  const { t } = useTranslation("settings", "common");
  const save = useRef<HTMLButtonElement>(null);
  const discard = () => {
    onDiscard();
    // The pressed button disappears, and the focus with it.
    save.current?.focus();
  };
  return (
    <div className={classes.foot} data-unsaved={changes > 0}>
      <span className={classes.state} role="status">
        {changes > 0 && t("unsaved", { count: changes })}
      </span>
      {changes > 0 && (
        <Button variant="default" disabled={isSaving} aria-label={t("discardSection", { section })} onClick={discard}>
          {t("discard")}
        </Button>
      )}
      <Button
        ref={save}
        type="submit"
        variant={changes > 0 ? "filled" : "default"}
        loading={isSaving}
        aria-label={t("saveSection", { section })}
      >
        {t("common:save")}
      </Button>
    </div>
  );
}
