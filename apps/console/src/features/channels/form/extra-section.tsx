import { NumberInput, Switch, Textarea, TextInput } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import type { ChannelFormState } from "./channel-form-model.ts";

export function ExtraSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <FormSection title={t("form.extra")}>
      <NumberInput
        label={t("form.softLimit")}
        description={t("form.softLimitHint")}
        prefix="$"
        thousandSeparator=","
        allowDecimal={false}
        allowNegative={false}
        max={CHANNEL_LIMITS.softLimitUsd}
        {...form.getInputProps("soft_limit_usd")}
      />
      <TextInput
        label={t("form.organization")}
        description={t("form.organizationHint")}
        placeholder="org-…"
        spellCheck={false}
        maxLength={CHANNEL_LIMITS.organizationLength}
        {...form.getInputProps("organization")}
      />
      <ProxyField form={form} />
      <FormWide>
        <Textarea
          label={t("form.systemPrompt")}
          description={t("form.systemPromptHint")}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={CHANNEL_LIMITS.systemPromptLength}
          {...form.getInputProps("system_prompt")}
        />
      </FormWide>
      <FormWide>
        <Switch
          label={t("form.calcPrompt")}
          description={t("form.calcPromptHint")}
          {...form.getInputProps("calc_prompt", { type: "checkbox" })}
        />
      </FormWide>
    </FormSection>
  );
}

function ProxyField({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <TextInput
      label={t("form.proxy")}
      description={t("form.proxyHint")}
      placeholder="socks5://user:password@10.0.0.1:1080"
      spellCheck={false}
      autoComplete="off"
      maxLength={CHANNEL_LIMITS.proxyLength}
      {...form.getInputProps("proxy")}
    />
  );
}
