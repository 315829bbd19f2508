import { Autocomplete, NativeSelect, NumberInput } from "@mantine/core";
import { OPTION_RATIOS, parseRatios } from "@one-api/contract/prices/ratios";
import { useQuery } from "@tanstack/react-query";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { Select } from "../../components/floating/select.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { RowTable } from "../channels/form/tables/row-table.tsx";
import { useOptions } from "../settings/options/option-queries.ts";
import { availableModelsQuery } from "../tokens/token-queries.ts";
import { AliasSection } from "./alias-section.tsx";
import {
  type ChannelRow,
  lacksChannel,
  missingPrice,
  type PoolModeChoice,
  type PriceRow,
  type SectionProps,
} from "./what-if-model.ts";
import { allChannelsQuery } from "./what-if-queries.ts";
import classes from "./what-if.module.css";

const DAYS = ["7", "30"] as const;

export function PeriodChoice({ values, change }: SectionProps) {
  const { t } = useTranslation("what-if");
  return (
    <ChoiceButtons
      label={t("period")}
      choices={DAYS.map((days) => ({ value: days, text: t("present", { count: Number(days) }) }))}
      value={values.days}
      onChange={(days) => change({ days })}
    />
  );
}

function GroupSection({ values, change }: SectionProps) {
  const { t } = useTranslation("what-if");
  const { data: options } = useOptions();
  const groups = [...(parseRatios(options?.values["GroupRatio"] ?? "", OPTION_RATIOS).entries ?? [])];
  return (
    <FormSection title={t("groups")} description={t("groupsHint")}>
      {groups.map(([group, ratio]) => (
        <NumberInput
          key={group}
          label={group}
          hideControls
          placeholder={String(ratio)}
          min={0}
          allowNegative={false}
          value={values.ratios[group] ?? ""}
          onChange={(next) => change({ ratios: { ...values.ratios, [group]: next } })}
        />
      ))}
    </FormSection>
  );
}

function PriceSection({ values, change }: SectionProps) {
  const { t } = useTranslation("what-if");
  const models = useQuery(availableModelsQuery).data ?? [];
  const dollars = (row: PriceRow, part: "input" | "output", set: (patch: Partial<PriceRow>) => void) => (
    <NumberInput
      key={part}
      aria-label={t(part)}
      prefix="$"
      min={0}
      allowNegative={false}
      hideControls
      value={row[part]}
      error={missingPrice(row)[part] && t("priceMissing")}
      onChange={(value) => set({ [part]: value })}
    />
  );
  return (
    <FormSection title={t("prices")} description={t("pricesHint")}>
      <FormWide>
        <RowTable
          label={t("prices")}
          hidesLabel
          addLabel={t("addPrice")}
          error={undefined}
          heads={[t("model"), t("input"), t("output")]}
          narrow={[t("input"), t("output")]}
          rows={values.prices}
          newRow={(id): PriceRow => ({ id, model: "", input: "", output: "" })}
          setRows={(prices) => change({ prices })}
          nameOf={({ model }) => model}
          renderCells={(row, set) => [
            <Autocomplete
              key="model"
              aria-label={t("model")}
              placeholder="gpt-4o-mini"
              data={models}
              limit={50}
              value={row.model}
              error={missingPrice(row).model && t("modelMissing")}
              onChange={(model) => set({ model })}
            />,
            dollars(row, "input", set),
            dollars(row, "output", set),
          ]}
        />
      </FormWide>
    </FormSection>
  );
}

const STATES = ["same", "off", "on"] as const;
const MODES = ["same", "random", "polling", "cheapest"] as const;

function ChannelTable({ values, change }: SectionProps) {
  const { t } = useTranslation("what-if");
  const channels = useQuery(allChannelsQuery).data ?? [];
  const number = (row: ChannelRow, part: "priority" | "weight", set: (patch: Partial<ChannelRow>) => void) => (
    <NumberInput
      key={part}
      aria-label={t(part)}
      placeholder={String(channels.find(({ id }) => String(id) === row.channel)?.[part] ?? "")}
      allowDecimal={false}
      hideControls
      value={row[part]}
      error={row[part] !== "" && lacksChannel(row) && t("channelMissing")}
      onChange={(value) => set({ [part]: value })}
    />
  );
  return (
    <RowTable
      label={t("channels")}
      hidesLabel
      addLabel={t("addChannel")}
      error={undefined}
      heads={[t("channel"), t("state"), t("priority"), t("weight")]}
      narrow={[t("priority"), t("weight")]}
      rows={values.channels}
      newRow={(id): ChannelRow => ({ id, channel: "", state: "off", priority: "", weight: "" })}
      setRows={(rows) => change({ channels: rows })}
      nameOf={({ channel }) => channels.find(({ id }) => String(id) === channel)?.name ?? ""}
      renderCells={(row, set) => [
        <Select
          key="channel"
          aria-label={t("channel")}
          placeholder={t("chooseChannel")}
          searchable
          data={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={row.channel === "" ? null : row.channel}
          onChange={(channel) => set({ channel: channel ?? "" })}
        />,
        <NativeSelect
          key="state"
          aria-label={t("state")}
          data={STATES.map((state) => ({ value: state, label: t(`states.${state}`) }))}
          value={row.state}
          onChange={({ currentTarget }) => set({ state: stateOf(currentTarget.value) })}
        />,
        number(row, "priority", set),
        number(row, "weight", set),
      ]}
    />
  );
}

function RoutingSection(props: SectionProps) {
  const { t } = useTranslation("what-if");
  const { values, change } = props;
  return (
    <FormSection title={t("routing")} description={t("routingHint")}>
      <FormWide>
        <ChannelTable {...props} />
      </FormWide>
      <NativeSelect
        label={t("poolMode")}
        data={MODES.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }))}
        value={values.poolMode}
        onChange={({ currentTarget }) => change({ poolMode: modeOf(currentTarget.value) })}
      />
    </FormSection>
  );
}

const stateOf = (text: string) => STATES.find((state) => state === text) ?? "same";

function modeOf(text: string): PoolModeChoice {
  return MODES.find((mode) => mode === text) ?? "same";
}

export function WhatIfForm(props: SectionProps) {
  return (
    <div className={classes.form}>
      <GroupSection {...props} />
      <PriceSection {...props} />
      <AliasSection {...props} />
      <RoutingSection {...props} />
    </div>
  );
}
