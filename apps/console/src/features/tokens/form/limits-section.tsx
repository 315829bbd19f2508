import { NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/form/form-section.tsx";
import type { TokenFormState } from "./token-values.ts";
import { MAX_LIMIT } from "./validate-token.ts";

const LIMITS = ["rpm_limit", "dpm_limit", "tpm_limit"] as const;

/** What the token may do within a minute. */
export function LimitsSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  return (
    <FormSection title={t("form.limits")} description={t("form.limitsHint")}>
      {LIMITS.map((limit) => (
        <NumberInput
          key={limit}
          label={t(`form.${limit}`)}
          description={t(`form.${limit}_hint`)}
          thousandSeparator=","
          allowDecimal={false}
          allowNegative={false}
          max={MAX_LIMIT}
          {...form.getInputProps(limit)}
        />
      ))}
    </FormSection>
  );
}
