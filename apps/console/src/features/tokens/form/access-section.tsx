import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { FreeListInput } from "../../../components/form/free-list-input.tsx";
import { availableModelsQuery } from "../api/token-queries.ts";
import type { TokenFormState } from "./token-values.ts";

/** Which models the token serves, and whom. */
export function AccessSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const available = useQuery(availableModelsQuery);
  const { models, subnet } = form.values;
  return (
    <FormSection title={t("form.access")} description={t("form.accessHint")}>
      <FormWide>
        <FreeListInput
          label={t("form.models")}
          description={t("form.modelsHint")}
          placeholder={models.length === 0 ? t("form.modelsPlaceholder") : ""}
          data={available.data ?? []}
          {...form.getInputProps("models")}
        />
      </FormWide>
      <FormWide>
        <FreeListInput
          label={t("form.subnet")}
          description={t("form.subnetHint")}
          placeholder={subnet.length === 0 ? t("form.subnetPlaceholder") : ""}
          {...form.getInputProps("subnet")}
        />
      </FormWide>
    </FormSection>
  );
}
