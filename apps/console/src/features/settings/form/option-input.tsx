import { NumberInput, Select, TextInput, type TextInputProps } from "@mantine/core";
import { SecretInput } from "../../../components/secret-input.tsx";
import { QuotaInput } from "../../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { PageInput } from "../inputs/page-input.tsx";
import { DomainListInput } from "../inputs/domain-list-input.tsx";
import type { OptionField } from "../options/option-draft.ts";
import { hintOf } from "../options/option-hints.ts";
import type { SectionField } from "../fields/shown-section.ts";

const GroupLimitsInput = lazyPart(() => import("../inputs/group-limits/group-limits-input.tsx"), ["limits"]);

const AliasesInput = lazyPart(() => import("../inputs/aliases/aliases-input.tsx"), ["channel-form"]);

interface FieldProps {
  field: SectionField;
  value: string;
  isSet: boolean;
  error: string | false;
  onChange(value: string): void;
}

/** Hints stand below their fields, so that the fields of a row are in line. */
const BELOW: NonNullable<TextInputProps["inputWrapperOrder"]> = ["label", "input", "error", "description"];

type CommonProps = Pick<TextInputProps, "label" | "description" | "error" | "inputWrapperOrder">;

interface NumberFieldProps extends Pick<FieldProps, "value" | "onChange"> {
  field: OptionField;
  placeholder: string;
  common: CommonProps;
}

/** A number within the option's bounds; with decimals where its steps are smaller than one. */
function NumberField({ field, value, placeholder, common, onChange }: NumberFieldProps) {
  const { min, max, step = 1 } = field;
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
      // No clamping: a number out of bounds is refused beside the field, not replaced.
      clampBehavior="none"
      onChange={(next) => onChange(String(next))}
    />
  );
}

export function OptionInput({ field, value, isSet, error, onChange }: FieldProps) {
  const { t } = useTranslation("settings");
  const label = t(`fields.${field.key}`);
  const placeholder = "placeholder" in field ? field.placeholder : "";
  const common = { label, description: hintOf(field.key, t), error, inputWrapperOrder: BELOW };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (field.kind) {
    case "list":
      return <DomainListInput {...{ label, placeholder, value, error, onChange }} />;
    case "choice": {
      const data = field.choices.map((choice) => ({ value: choice, label: t(`choices.${choice}`) }));
      return (
        <Select {...common} data={data} value={value} allowDeselect={false} onChange={(next) => onChange(next ?? "")} />
      );
    }
    case "quota":
      return (
        <QuotaInput
          {...common}
          value={value === "" ? "" : Number(value)}
          onChange={(next: number | string) => onChange(String(next))}
        />
      );
    case "page":
      return <PageInput {...common} preview={field.preview} value={value} onChange={onChange} />;
    case "limits":
      return <GroupLimitsInput {...common} value={value} placeholder={placeholder} onChange={onChange} />;
    case "aliases":
      return <AliasesInput {...{ label, description: common.description, placeholder, error, value, onChange }} />;
    case "number":
      return <NumberField field={field} value={value} placeholder={placeholder} common={common} onChange={onChange} />;
    case "secret":
      return (
        <SecretInput
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
