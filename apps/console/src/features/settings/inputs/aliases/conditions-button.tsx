import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../../lib/loading/later-part.ts";
import type { AliasRow } from "./aliases-text.ts";
import { useConditionText } from "./condition-text.ts";
import classes from "./aliases-input.module.css";

const ConditionsDialog = lazyPart(() => import("./conditions-dialog.tsx"));

interface ConditionsButtonProps {
  row: AliasRow;
  onChange(limits: Pick<AliasRow, "when" | "firstTokenMs">): void;
}

/** Conditions and deadline of a model, which a dialog edits. */
export function ConditionsButton({ row, onChange }: ConditionsButtonProps) {
  const { t } = useTranslation("channel-form");
  const [isEdited, setIsEdited] = useState(false);
  const text = useConditionText()(row);
  const apply = (limits: Pick<AliasRow, "when" | "firstTokenMs">) => {
    onChange(limits);
    setIsEdited(false);
  };
  return (
    <>
      <Button
        variant="default"
        justify="flex-start"
        classNames={{ root: classes.conditions ?? "", label: classes.words ?? "" }}
        aria-label={`${t("aliases.conditions")} ${row.model}: ${text}`}
        title={text}
        onClick={() => setIsEdited(true)}
      >
        {text}
      </Button>
      {isEdited && <ConditionsDialog row={row} onClose={() => setIsEdited(false)} onApply={apply} />}
    </>
  );
}
