import type { RatioKey } from "@one-api/contract/prices/ratios";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { ScrollBox } from "../../../../components/boxes/scroll-box.tsx";
import { FormDialog } from "../../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { PriceEffect } from "./price-effect.tsx";
import { changesBetween, type RatioChange, ratiosOf, type RatioTexts } from "./ratio-model.ts";
import classes from "./ratios.module.css";

const NO_RATIOS: ReadonlyMap<string, number> = new Map();

function ChangeLine({ change: { name, before, after }, isGroup }: { change: RatioChange; isGroup: boolean }) {
  const { t } = useTranslation("settings");
  const none = t(isGroup ? "ratios.changes.noFactor" : "ratios.changes.listed");
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return (
    <li className={classes.change} data-kind={kind}>
      <span className={classes.name}>{name}</span>
      <span className="numbers">
        {before ?? none}
        <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
        <strong>{after ?? none}</strong>
      </span>
    </li>
  );
}

interface RatioChangesDialogProps {
  before: RatioTexts;
  after: RatioTexts;
  changed: readonly RatioKey[];
  isSaving: boolean;
  onSave(): void;
  onClose(): void;
}

/** What saving changes, entry by entry. */
export function RatioChangesDialog({ before, after, changed, isSaving, onSave, onClose }: RatioChangesDialogProps) {
  const { t } = useTranslation("settings");
  const parts = changed.map((key) => ({
    key,
    changes: changesBetween(ratiosOf(before[key]) ?? NO_RATIOS, ratiosOf(after[key]) ?? NO_RATIOS),
  }));
  const count = parts.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <FormDialog
      title={t("ratios.changes.title", { count })}
      onClose={onClose}
      size="lg"
      submitLabel={t("ratios.changes.save")}
      isSaving={isSaving}
      startsAtSubmit
      onSubmit={onSave}
    >
      <p className={classes.note}>{t(count === 0 ? "ratios.changes.textOnly" : "ratios.changes.text")}</p>
      {parts.map(({ key, changes }) => (
        <section key={key} aria-label={t(`ratios.${key}`)}>
          <h3 className={classes.part}>{t(`ratios.${key}`)}</h3>
          <ScrollBox label={t(`ratios.${key}`)} className={classes.changes}>
            <ul>
              {changes.map((change) => (
                <ChangeLine key={change.name} change={change} isGroup={key === "GroupRatio"} />
              ))}
            </ul>
          </ScrollBox>
        </section>
      ))}
      {changed.some((key) => key !== "GroupRatio") && <PriceEffect texts={after} />}
    </FormDialog>
  );
}
