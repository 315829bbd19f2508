import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

interface CodeFieldProps extends Omit<TextInputProps, "onChange"> {
  hasApp: boolean;
  onChange(code: string): void;
}

export function CodeField({ hasApp, onChange, ...field }: CodeFieldProps) {
  const { t } = useTranslation("security");
  return (
    <TextInput
      label={t(hasApp ? "step.code" : "step.recovery")}
      description={t(hasApp ? "step.codeHint" : "step.recoveryHint")}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  );
}
