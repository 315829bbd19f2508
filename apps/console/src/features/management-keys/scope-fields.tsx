import { Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { KEY_AREAS, type KeyArea, READ_ONLY_AREAS } from "@one-api/contract/accounts/management-key-constants";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { AreaRight, KeyValues } from "./key-form-model.ts";
import classes from "./management-keys.module.css";

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
      <FormWide>
        <ul className={classes.scopes}>
          {KEY_AREAS.map((area) => (
            <li key={area} className={classes.scope}>
              <div>
                <div className={classes.area}>{t(`areas.${area}`)}</div>
                <div className={classes.hint}>{t(`areaHints.${area}`)}</div>
              </div>
              <ChoiceButtons
                label={t(`areas.${area}`)}
                choices={rightsIn(area).map((right) => ({ value: right, text: t(`rights.${right}`) }))}
                value={rights[area]}
                onChange={(right) => {
                  form.setFieldValue("rights", { ...rights, [area]: right });
                  form.clearFieldError("scopes");
                }}
              />
            </li>
          ))}
        </ul>
      </FormWide>
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
