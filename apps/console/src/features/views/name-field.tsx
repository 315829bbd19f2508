import { TextInput } from "@mantine/core";
import { VIEW_LIMITS, viewNameSchema } from "@one-api/contract/view";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { isAccepted } from "../../lib/validate-form.ts";

/** Name of saved settings. `check` returns whether it is one; from then on the field names what is wrong. */
export function useNameField(first: string) {
  const [typed, setTyped] = useState(first);
  const [isChecked, setIsChecked] = useState(false);
  const isValid = isAccepted(viewNameSchema, typed);
  const check = () => {
    setIsChecked(true);
    return isValid;
  };
  return { name: typed.trim(), check, field: { typed, isWrong: isChecked && !isValid, onChange: setTyped } };
}

interface NameFieldProps {
  field: ReturnType<typeof useNameField>["field"];
  hint: string;
}

export function NameField({ field: { typed, isWrong, onChange }, hint }: NameFieldProps) {
  const { t } = useTranslation("views");
  return (
    <TextInput
      label={t("name")}
      description={hint}
      withAsterisk
      maxLength={VIEW_LIMITS.nameLength}
      value={typed}
      error={isWrong && t("problem")}
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
