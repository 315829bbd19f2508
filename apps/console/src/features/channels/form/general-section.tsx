import { Select, type SelectProps, Switch, TextInput } from "@mantine/core";
import { CHANNEL_TYPES, type ChannelTypeInfo } from "@one-api/contract/channel-types";
import { useTranslation } from "react-i18next";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { ProviderLogo } from "../../../components/provider-logo.tsx";
import { ProviderName } from "../../../components/provider-name.tsx";
import type { ChannelFormState } from "./channel-form-model.ts";

interface TypeSelectProps extends Omit<SelectProps, "value" | "onChange" | "data"> {
  value: number;
  onChange(type: number): void;
}

function options(isReseller: boolean) {
  const chosen = CHANNEL_TYPES.filter((info: ChannelTypeInfo) => (info.reseller === true) === isReseller);
  return chosen.map(({ type, label }) => ({ value: String(type), label }));
}

/** Chooses a channel type by its name, with the providers' logos. */
export function TypeSelect({ value, onChange, ...field }: TypeSelectProps) {
  const { t } = useTranslation(["channels", "common"]);
  return (
    <Select
      searchable
      maxDropdownHeight={320}
      leftSection={<ProviderLogo type={value} />}
      nothingFoundMessage={t("common:noMatch.title")}
      renderOption={({ option }) => <ProviderName type={Number(option.value)} />}
      {...field}
      data={[
        { group: t("form.providers"), items: options(false) },
        { group: t("form.resellers"), items: options(true) },
      ]}
      value={String(value)}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
    />
  );
}

/** Type and name, and the reserve mark of a new channel. */
export function GeneralSection({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  const { t } = useTranslation("channels");
  const changeType = (type: number) => form.setValues({ type, other: "", user_id: "" });
  return (
    <FormSection title={t("form.general")}>
      <TypeSelect
        label={t("form.type")}
        withAsterisk
        {...form.getInputProps("type")}
        value={form.values.type}
        onChange={changeType}
      />
      <TextInput
        label={t("form.name")}
        withAsterisk
        placeholder={t("form.namePlaceholder")}
        maxLength={128}
        {...form.getInputProps("name")}
      />
      {isNew && (
        <FormWide>
          <Switch
            label={t("form.reserve")}
            description={t("form.reserveHint")}
            {...form.getInputProps("isReserve", { type: "checkbox" })}
          />
        </FormWide>
      )}
    </FormSection>
  );
}
