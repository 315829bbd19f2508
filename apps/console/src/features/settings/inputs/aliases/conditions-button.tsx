import { InputBase } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
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
      <InputBase
        component="button"
        type="button"
        pointer
        rightSection={<IconChevronDown size={16} aria-hidden="true" />}
        rightSectionPointerEvents="none"
        classNames={{ input: classes.conditions ?? "" }}
        aria-label={`${t("aliases.conditions")} ${row.model}: ${text}`}
        title={text}
        onClick={() => setIsEdited(true)}
      >
        {text}
      </InputBase>
      {isEdited && <ConditionsDialog row={row} onClose={() => setIsEdited(false)} onApply={apply} />}
    </>
  );
}
