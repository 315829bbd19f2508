import { Autocomplete, NativeSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { RowTable } from "../channels/form/tables/row-table.tsx";
import { type AliasRow, isRepeated, missingIn, readAliases } from "../settings/inputs/aliases/aliases-text.ts";
import { useOptions } from "../settings/options/option-queries.ts";
import { ConditionsButton } from "../settings/inputs/aliases/conditions-button.tsx";
import { availableModelsQuery } from "../tokens/token-queries.ts";
import { type SectionProps, withAlias } from "./what-if-model.ts";

/** Returns the inputs of a row. Choosing an alias fills in its present models. */
function useCells({ values: { aliases: rows }, change }: SectionProps, saved: readonly AliasRow[]) {
  const { t } = useTranslation("what-if");
  const models = useQuery(availableModelsQuery).data ?? [];
  const names = [...new Set(saved.map(({ alias }) => alias))];
  const modelError = (row: AliasRow) => {
    if (missingIn(row).model) return t("modelMissing");
    return isRepeated(row, rows) && t("aliasRepeated");
  };
  return (row: AliasRow, set: (patch: Partial<AliasRow>) => void) => [
    <NativeSelect
      key="alias"
      aria-label={t("alias")}
      data={[{ value: "", label: t("chooseAlias") }, ...names]}
      value={row.alias}
      error={missingIn(row).alias && t("aliasMissing")}
      onChange={({ currentTarget }) => change({ aliases: withAlias(rows, row, currentTarget.value, saved) })}
    />,
    <Autocomplete
      key="model"
      aria-label={t("model")}
      data={models}
      limit={50}
      value={row.model}
      error={modelError(row)}
      onChange={(model) => set({ model })}
    />,
    <NumberInput
      key="weight"
      aria-label={t("weight")}
      placeholder={t("inOrder")}
      min={0}
      max={1_000}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={row.weight}
      onChange={(weight) => set({ weight })}
    />,
    <ConditionsButton key="conditions" row={row} onChange={set} />,
  ];
}

/** Other models, weights, order, conditions or deadlines of aliases. */
export function AliasSection(props: SectionProps) {
  const { t } = useTranslation("what-if", "channel-form");
  const { data: options } = useOptions();
  const saved = readAliases(options?.values["ModelAliases"] ?? "") ?? [];
  const cellsOf = useCells(props, saved);
  if (saved.length === 0) return null;
  return (
    <FormSection title={t("aliases")} description={t("aliasesHint")}>
      <FormWide>
        <RowTable
          label={t("aliases")}
          hidesLabel
          addLabel={t("addAlias")}
          error={undefined}
          heads={[t("alias"), t("model"), t("weight"), t("channel-form:aliases.conditions")]}
          narrow={[t("weight")]}
          wide={t("model")}
          rows={props.values.aliases}
          newRow={(id): AliasRow => ({ id, alias: "", model: "", weight: "", when: {}, firstTokenMs: undefined })}
          setRows={(aliases) => props.change({ aliases })}
          nameOf={({ alias, model }) => [alias, model].filter(Boolean).join(", ")}
          renderCells={cellsOf}
        />
      </FormWide>
    </FormSection>
  );
}
