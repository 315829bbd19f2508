import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { FoldedSection, FormWide } from "../../../../components/form/form-section.tsx";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { type ChannelFormState, hasOwn } from "../channel-form-model.ts";
import { JsonOrTable } from "../tables/json-or-table.tsx";
import { OverridesPreview } from "./overrides-preview.tsx";
import { OverridesTable } from "./overrides-table.tsx";
import { readOverrides } from "./overrides-text.ts";

const EXAMPLE = JSON.stringify(
  {
    headers: { default: { "User-Agent": "my-app/1.0" }, remove: ["anthropic-beta"] },
    body: { set: { "reasoning.effort": "low" }, default: { temperature: 0.2 }, remove: ["top_k"] },
  },
  undefined,
  2,
);

export function OverridesSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const { overrides, models } = form.values;
  const field = {
    label: t("overrides.title"),
    value: overrides,
    onChange: (text: string) => form.setFieldValue("overrides", text),
  };
  return (
    <FoldedSection
      title={t("overrides.title")}
      description={t("overrides.description")}
      summary={t("summaries.overrides")}
      opensItself={hasOwn(form, "overrides")}
    >
      <FormWide>
        <JsonOrTable
          label={field.label}
          views={["table", "json"]}
          fitsTable={readOverrides(overrides) !== undefined}
          json={
            <JsonEditor
              description={t("overrides.hint")}
              placeholder={EXAMPLE}
              {...form.getInputProps("overrides")}
              {...field}
            />
          }
          table={<OverridesTable {...field} description={t("overrides.hint")} error={form.errors["overrides"]} />}
        />
        <OverridesPreview text={overrides} model={models[0] ?? "gpt-4o"} />
      </FormWide>
    </FoldedSection>
  );
}
