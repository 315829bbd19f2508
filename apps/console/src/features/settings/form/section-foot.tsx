import { Button } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../options/options.module.css";

interface SectionFootProps {
  /** Title of the section. */
  section: string;
  /** Number of unsaved changes. */
  changes: number;
  isSaving: boolean;
  onDiscard(): void;
}

/** Saves a section's form; while something is unsaved, says how much and offers to discard it. */
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
