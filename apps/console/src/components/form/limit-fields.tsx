import { NumberInput, type NumberInputProps } from "@mantine/core";
import { type LimitField, MAX_LIMIT } from "@one-api/contract/limits/limit-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

interface LimitFieldsProps {
  fields: readonly LimitField[];
  inputOf: (field: LimitField) => NumberInputProps;
}

export function LimitFields({ fields, inputOf }: LimitFieldsProps) {
  const { t } = useTranslation("limits");
  return fields.map((field) => (
    <NumberInput
      key={field}
      label={t(field)}
      thousandSeparator=","
      allowDecimal={false}
      allowNegative={false}
      max={MAX_LIMIT}
      {...inputOf(field)}
    />
  ));
}
