import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
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
  const isUnsaved = changes > 0;
  useEffect(() => {
    // The foot rises over the field that is edited.
    if (isUnsaved) document.activeElement?.scrollIntoView({ block: "nearest" });
  }, [isUnsaved]);
  const discard = () => {
    onDiscard();
    // The pressed button disappears, and the focus with it.
    save.current?.focus();
  };
  return (
    <div className={classes.foot} data-unsaved={isUnsaved} data-over-toasts>
      <span className={classes.state} role="status">
        {isUnsaved && t("unsaved", { count: changes })}
      </span>
      {isUnsaved && (
        <Button variant="default" disabled={isSaving} aria-label={t("discardSection", { section })} onClick={discard}>
          {t("discard")}
        </Button>
      )}
      <Button
        ref={save}
        type="submit"
        variant={isUnsaved ? "filled" : "default"}
        loading={isSaving}
        aria-label={t("saveSection", { section })}
      >
        {t("common:save")}
      </Button>
    </div>
  );
}
