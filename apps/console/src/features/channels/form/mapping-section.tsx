import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { type ChannelFormState, hasOwn } from "./channel-form-model.ts";
import { CostsTable } from "./tables/costs-table.tsx";
import { readCosts } from "./tables/costs-text.ts";
import { JsonOrTable } from "./tables/json-or-table.tsx";
import { MappingTable } from "./tables/mapping-table.tsx";
import { readMapping } from "./tables/mapping-text.ts";

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

function MappingField({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const field = {
    label: t("form.mapping"),
    value: form.values.model_mapping,
    onChange: (text: string) => form.setFieldValue("model_mapping", text),
  };
  return (
    <JsonOrTable
      label={field.label}
      views={["json", "table"]}
      fitsTable={readMapping(field.value) !== undefined}
      json={
        <JsonEditor
          description={t("form.mappingHint")}
          placeholder={MAPPING_EXAMPLE}
          {...form.getInputProps("model_mapping")}
          {...field}
        />
      }
      table={<MappingTable {...field} description={t("tables.mappingHint")} error={form.errors["model_mapping"]} />}
    />
  );
}

function CostsField({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const field = {
    label: t("form.costs"),
    value: form.values.costs,
    onChange: (text: string) => form.setFieldValue("costs", text),
  };
  return (
    <JsonOrTable
      label={field.label}
      views={["table", "json"]}
      fitsTable={readCosts(field.value) !== undefined}
      json={
        <JsonEditor
          description={t("form.costsHint")}
          placeholder={COSTS_EXAMPLE}
          {...form.getInputProps("costs")}
          {...field}
        />
      }
      table={<CostsTable {...field} description={t("form.costsHint")} error={form.errors["costs"]} />}
    />
  );
}

export function MappingSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <FoldedSection
      title={t("form.mappingAndCosts")}
      summary={t("summaries.mapping")}
      opensItself={hasOwn(form, "model_mapping", "costs")}
    >
      <FormWide>
        <MappingField form={form} />
      </FormWide>
      <FormWide>
        <CostsField form={form} />
      </FormWide>
    </FoldedSection>
  );
}
