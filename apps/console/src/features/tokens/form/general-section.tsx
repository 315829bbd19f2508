import { NumberInput, TextInput } from "@mantine/core";
import { MAX_TOKEN_BATCH } from "@one-api/contract/token";
import { useTranslation } from "react-i18next";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import type { TokenFormState } from "./token-values.ts";

const MAX_NAME_LENGTH = 64;

function batchHint(form: TokenFormState): { name: string; count: number } | undefined {
  const { name, batch_number: count } = form.values;
  return typeof count === "number" && count > 1 ? { name: name.trim(), count } : undefined;
}

/** The name and, for new tokens, how many of them. */
export function GeneralSection({ form, isNew }: { form: TokenFormState; isNew: boolean }) {
  const { t } = useTranslation("tokens");
  const batch = batchHint(form);
  const name = (
    <TextInput
      label={t("form.name")}
      description={t("form.nameHint")}
      withAsterisk
      maxLength={MAX_NAME_LENGTH}
      {...form.getInputProps("name")}
    />
  );
  return (
    <FormSection title={t("form.general")}>
      {isNew ? name : <FormWide>{name}</FormWide>}
      {isNew && (
        <NumberInput
          label={t("form.batch")}
          description={batch === undefined ? t("form.batchHint") : t("form.batchNames", batch)}
          allowDecimal={false}
          min={1}
          max={MAX_TOKEN_BATCH}
          {...form.getInputProps("batch_number")}
        />
      )}
    </FormSection>
  );
}
