import { Alert, TextInput } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { channelTypeInfo, effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FormWide } from "../../../components/form/form-section.tsx";
import { type ChannelFormState, keyPartsOf } from "./channel-form-model.ts";
import { movesKey } from "./channel-form-problems.ts";
import { KeyField, KeyPartFields } from "./key-fields.tsx";

interface SectionProps {
  form: ChannelFormState;
  stored: Channel | undefined;
}

function AddressField({ form, stored }: SectionProps) {
  const { t } = useTranslation("channel-form");
  const { type, key } = form.values;
  const info = channelTypeInfo(type);
  const standard =
    keyPartsOf(type).length > 0 ? t("form.addressOfRegion") : effectiveBaseUrl(type, "", key.trim()) || "https://";
  const tidy = () => {
    form.setFieldValue("base_url", (address) => stripTrailingSlashes(address.trim()));
  };
  return (
    <TextInput
      label={info?.deployments === true ? t("form.endpoint") : t("form.address")}
      description={stored === undefined ? undefined : t("form.addressHint")}
      withAsterisk={info?.needsBaseUrl === true}
      placeholder={info?.deployments === true ? "https://my-resource.openai.azure.com" : standard}
      type="url"
      spellCheck={false}
      {...form.getInputProps("base_url")}
      onBlurCapture={tidy}
    />
  );
}

function TypeFields({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const { type } = form.values;
  const info = channelTypeInfo(type);
  return (
    <>
      {info?.other !== undefined && (
        <TextInput
          label={t(`form.other.${info.other}`)}
          description={t(`form.otherHint.${info.other}`)}
          placeholder={info.otherDefault ?? ""}
          maxLength={CHANNEL_LIMITS.otherLength}
          {...form.getInputProps("other")}
        />
      )}
      {info?.userId !== undefined && (
        <TextInput label={t(`form.userId.${info.userId}`)} {...form.getInputProps("user_id")} />
      )}
    </>
  );
}

export function AccessFields({ form, stored }: SectionProps) {
  const { t } = useTranslation("channel-form");
  const Key = keyPartsOf(form.values.type).length > 0 ? KeyPartFields : KeyField;
  const isMoved = stored !== undefined && movesKey(form.values, stored);
  return (
    <>
      {channelTypeInfo(form.values.type)?.deployments === true && (
        <FormWide>
          <Alert color="info">{t("form.azureNote")}</Alert>
        </FormWide>
      )}
      <Key form={form} isNew={stored === undefined} isMoved={isMoved} />
      <FormWide>
        <AddressField form={form} stored={stored} />
      </FormWide>
      <TypeFields form={form} />
    </>
  );
}
