import { Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { KEY_AREAS, type KeyArea, READ_ONLY_AREAS } from "@one-api/contract/accounts/management-key-constants";
import { Select } from "../../components/floating/select.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { AreaRight, KeyValues } from "./key-form-model.ts";

const ALL_RIGHTS: readonly AreaRight[] = ["none", "read", "write"];

function rightsIn(area: KeyArea): readonly AreaRight[] {
  return ALL_RIGHTS.filter((right) => right !== "write" || !READ_ONLY_AREAS.has(area));
}

export function ScopeFields({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { t } = useTranslation("management-keys");
  const { rights } = form.getValues();
  const problem = form.errors["scopes"];
  return (
    <FormSection title={t("form.scopes")} description={t("form.scopesHint")}>
      {KEY_AREAS.map((area) => (
        <div key={area}>
          <Select
            aria-label={t(`areas.${area}`)}
            label={t(`areas.${area}`)}
            data={rightsIn(area).map((right) => ({ value: right, label: t(`rights.${right}`) }))}
            value={rights[area]}
            onChange={(chosen) => {
              const right = ALL_RIGHTS.find((known) => known === chosen);
              if (right === undefined) return;
              form.setFieldValue("rights", { ...rights, [area]: right });
              form.clearFieldError("scopes");
            }}
          />
          <Text size="xs" c="dimmed" mt="2xs">
            {t(`areaHints.${area}`)}
          </Text>
        </div>
      ))}
      {problem !== undefined && (
        <FormWide>
          <Text size="sm" c="danger">
            {problem}
          </Text>
        </FormWide>
      )}
    </FormSection>
  );
}
