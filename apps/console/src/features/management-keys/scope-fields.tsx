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

interface ScopeRowProps {
  area: string;
  hint: string;
  rights: readonly AreaRight[];
  /** Undefined where several areas differ. */
  value: AreaRight | undefined;
  onChange(right: AreaRight): void;
}

function ScopeRow({ area, hint, rights, value, onChange }: ScopeRowProps) {
  const { t } = useTranslation("management-keys");
  return (
    <li className={classes.scope}>
      <div>
        <div className={classes.area}>{area}</div>
        <div className={classes.hint}>{hint}</div>
      </div>
      <ChoiceButtons<AreaRight | "">
        label={area}
        choices={ALL_RIGHTS.map((right) => ({
          value: right,
          text: t(`rights.${right}`),
          isOff: !rights.includes(right),
        }))}
        value={value ?? ""}
        onChange={(right) => right !== "" && onChange(right)}
      />
    </li>
  );
}

/** The right that the area can have: areas that are only read are read. */
const atMost = (area: KeyArea, right: AreaRight): AreaRight => (rightsIn(area).includes(right) ? right : "read");

export function ScopeFields({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { t } = useTranslation("management-keys");
  const { rights } = form.getValues();
  const problem = form.errors["scopes"];
  const set = (changed: Partial<KeyValues["rights"]>) => {
    form.setFieldValue("rights", { ...rights, ...changed });
    form.clearFieldError("scopes");
  };
  const ofAll = (right: AreaRight) => KEY_AREAS.map((area) => [area, atMost(area, right)] as const);
  const common = ALL_RIGHTS.find((right) => ofAll(right).every(([area, own]) => rights[area] === own));
  return (
    <FormSection title={t("form.scopes")} description={t("form.scopesHint")}>
      <FormWide>
        <ul className={classes.scopes}>
          <ScopeRow
            area={t("form.all")}
            hint={t("form.allHint")}
            rights={ALL_RIGHTS}
            value={common}
            onChange={(right) => set(Object.fromEntries(ofAll(right)))}
          />
          {KEY_AREAS.map((area) => (
            <ScopeRow
              key={area}
              area={t(`areas.${area}`)}
              hint={t(`areaHints.${area}`)}
              rights={rightsIn(area)}
              value={rights[area]}
              onChange={(right) => set({ [area]: right })}
            />
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
