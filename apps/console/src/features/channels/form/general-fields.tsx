import { TextInput } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import {
  CHANNEL_TYPES,
  channelTypeInfo,
  channelTypeKeywords,
  channelTypeLabel,
  type KnownChannelType,
} from "@one-api/contract/channels/channel-types";
import type { ComponentProps } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formPart } from "../../../components/form/parts/form-part.tsx";
import { SearchSelect } from "../../../components/form/search-select.tsx";
import { ProviderLogo, ProviderName } from "../../../components/logos/provider-name.tsx";
import type { ChannelFormState } from "./channel-form-model.ts";

type TypeSelectProps = Omit<ComponentProps<typeof SearchSelect<number>>, "groups" | "renderChoice">;

function choices(isReseller: boolean, language: string) {
  return CHANNEL_TYPES.filter((info: KnownChannelType) => (info.reseller === true) === isReseller).map((info) => ({
    value: info.type,
    label: channelTypeLabel(info.type, language) ?? info.label,
    keywords: `${channelTypeKeywords(info)} ${info.logo}`,
  }));
}

function TypeSelect(props: TypeSelectProps) {
  const { t, language } = useTranslation("channel-form");
  return (
    <SearchSelect
      leftSection={<ProviderLogo type={props.value} />}
      renderChoice={({ value }) => <ProviderName type={value} />}
      {...props}
      groups={[
        { label: t("form.providers"), choices: choices(false, language) },
        { label: t("form.resellers"), choices: choices(true, language) },
      ]}
    />
  );
}

/** Apart from the name, so that typing that renders no list of types. */
const TypeField = formPart(function TypeField({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const info = channelTypeInfo(form.values.type);
  const changeType = (type: number) => {
    if (type === form.values.type) return;
    form.setValues({ type, other: "", user_id: "" });
    // The new type has other fields and rules.
    form.clearErrors();
  };
  return (
    <TypeSelect
      label={t("form.type")}
      withAsterisk
      description={info?.hint && t(`form.typeHint.${info.hint}`)}
      {...form.getInputProps("type")}
      value={form.values.type}
      onChange={changeType}
    />
  );
});

export function GeneralFields({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <>
      <TypeField form={form} />
      <TextInput
        label={t("form.name")}
        withAsterisk
        maxLength={CHANNEL_LIMITS.nameLength}
        {...form.getInputProps("name")}
      />
    </>
  );
}
