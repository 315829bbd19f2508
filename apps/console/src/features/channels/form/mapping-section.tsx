import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { type ChannelFormState, hasOwn } from "./channel-form-model.ts";

const COSTS_EXAMPLE = JSON.stringify({ "gpt-4o": { input: 2.5, output: 10 }, "*": { factor: 0.8 } }, null, 2);

const MAPPING_EXAMPLE = JSON.stringify(
  {
    "gpt-4o-2024-11-20": "gpt-4o",
    "gpt-4.1-2025-04-14": "gpt-4.1",
    "claude-sonnet-4-5-20250929": "claude-sonnet-4-5",
  },
  undefined,
  2,
);

/** Names of the models at the provider, and what they cost there. */
export function MappingSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <FoldedSection title={t("form.mappingAndCosts")} opensItself={hasOwn(form, "model_mapping", "costs")}>
      <FormWide>
        <JsonEditor
          label={t("form.mapping")}
          description={t("form.mappingHint")}
          placeholder={MAPPING_EXAMPLE}
          {...form.getInputProps("model_mapping")}
          value={form.values.model_mapping}
          onChange={(text) => form.setFieldValue("model_mapping", text)}
        />
      </FormWide>
      <FormWide>
        <JsonEditor
          label={t("form.costs")}
          description={t("form.costsHint")}
          placeholder={COSTS_EXAMPLE}
          {...form.getInputProps("costs")}
          value={form.values.costs}
          onChange={(text) => form.setFieldValue("costs", text)}
        />
      </FormWide>
    </FoldedSection>
  );
}
