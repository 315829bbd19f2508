import { Button, Pill } from "@mantine/core";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./models-input.module.css";

/** More are shown on request: a thousand of them would make every key press slow. */
const SHOWN_AT_FIRST = 60;

interface ChosenModelsProps {
  models: readonly string[];
  onRemove(model: string): void;
}

/** The chosen models, each with a button that takes it out. */
export const ChosenModels = memo(function ChosenModels({ models, onRemove }: ChosenModelsProps) {
  const { t } = useTranslation("channels");
  const [showsAll, setShowsAll] = useState(false);
  if (models.length === 0) return null;
  const shown = showsAll ? models : models.slice(0, SHOWN_AT_FIRST);
  return (
    <div className={classes.chosen}>
      <span className={classes.count} role="status">
        {t("form.modelCount", { count: models.length })}
      </span>
      <ul className={classes.pills}>
        {shown.map((model) => (
          <li key={model}>
            <Pill
              className={classes.pill ?? ""}
              withRemoveButton
              onRemove={() => onRemove(model)}
              removeButtonProps={{ "aria-label": t("form.removeModel", { model }), "aria-hidden": false, tabIndex: 0 }}
            >
              {model}
            </Pill>
          </li>
        ))}
      </ul>
      {models.length > SHOWN_AT_FIRST && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.more ?? ""}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t("form.showFewer") : t("form.showAll", { count: models.length })}
        </Button>
      )}
    </div>
  );
});
