import { NumberInput, PasswordInput, Select, TextInput, type TextInputProps } from "@mantine/core";
import { QuotaInput } from "../../../components/form/quota-input.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { hintOf, type SectionField } from "../option-sections.ts";
import { PageInput } from "../other/page-input.tsx";
import { DomainListInput } from "./domain-list-input.tsx";
import type { OptionField } from "./system-options.ts";

interface FieldProps {
  field: SectionField;
  value: string;
  isSet: boolean;
  error: string | false;
  onChange(value: string): void;
}

/** Hints stand below their fields, so that the fields of a row are in line. */
const BELOW: NonNullable<TextInputProps["inputWrapperOrder"]> = ["label", "input", "error", "description"];

/** The input of one option. */
export function OptionInput({ field, value, isSet, error, onChange }: FieldProps) {
  const { t } = useTranslation("settings");
  const label = t(`fields.${field.key}`);
  const placeholder = "placeholder" in field ? field.placeholder : "";
  const common = { label, description: hintOf(field.key, t), error, inputWrapperOrder: BELOW };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  const onNumber = (next: number | string) => onChange(String(next));
  switch (field.kind) {
    case "list":
      return <DomainListInput label={label} placeholder={placeholder} value={value} onChange={onChange} />;
    case "choice": {
      const data = field.choices.map((choice) => ({ value: choice, label: t(`choices.${choice}`) }));
      return (
        <Select {...common} data={data} value={value} allowDeselect={false} onChange={(next) => onChange(next ?? "")} />
      );
    }
    case "quota":
      return <QuotaInput {...common} value={value === "" ? "" : Number(value)} onChange={onNumber} />;
    case "page":
      return (
        <PageInput
          label={label}
          description={common.description}
          error={error}
          preview={field.preview}
          value={value}
          onChange={onChange}
        />
      );
    case "number": {
      const { min, max, step = 1 }: OptionField = field;
      return (
        <NumberInput
          {...common}
          {...(min === undefined ? {} : { min })}
          {...(max === undefined ? {} : { max })}
          step={step}
          placeholder={placeholder}
          value={value}
          allowNegative={false}
          allowDecimal={step < 1}
          onChange={onNumber}
        />
      );
    }
    case "secret":
      return (
        <PasswordInput
          {...common}
          value={value}
          onChange={onText}
          autoComplete="new-password"
          placeholder={isSet ? t("secretSet") : placeholder}
          visibilityToggleButtonProps={{ "aria-label": t("showSecret") }}
        />
      );
    default:
      return <TextInput {...common} value={value} placeholder={placeholder} autoComplete="off" onChange={onText} />;
  }
}
