import { Alert, Input, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ChoiceButtons } from "../../../../components/boxes/choice-buttons.tsx";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./group-limits.module.css";
import { formatGroupLimits, readGroupLimits } from "./group-limits-model.ts";
import { GroupLimitsTable } from "./group-limits-table.tsx";

interface GroupLimitsInputProps {
  label: string;
  description: ReactNode;
  placeholder: string;
  error: string | false;
  value: string;
  onChange(value: string): void;
}

export default function GroupLimitsInput({
  label,
  description,
  placeholder,
  error,
  value,
  onChange,
}: GroupLimitsInputProps) {
  const { t } = useTranslation("settings");
  const [editor, setEditor] = useState<"table" | "json">("table");
  const limits = readGroupLimits(value);
  return (
    <div className={classes.input}>
      <div className={classes.head}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <ChoiceButtons
          label={t("groupLimits.editor")}
          choices={[
            { value: "table", text: t("groupLimits.table") },
            { value: "json", text: t("groupLimits.json") },
          ]}
          value={editor}
          onChange={setEditor}
        />
      </div>
      <Input.Description mb="xs">{description}</Input.Description>
      {editor === "json" && (
        <JsonEditor aria-label={label} placeholder={placeholder} error={error} value={value} onChange={onChange} />
      )}
      {editor === "table" && limits === undefined && <Alert color="warning">{t("groupLimits.invalid")}</Alert>}
      {editor === "table" && limits !== undefined && (
        <GroupLimitsTable limits={limits} onChange={(next) => onChange(formatGroupLimits(next))} />
      )}
      {editor === "table" && error !== false && (
        <Input.Error mt="xs" role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  );
}
