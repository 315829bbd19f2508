import { Autocomplete, NumberInput, Switch, Textarea, TextInput } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { TimeField } from "../../../components/form/time/time-field.tsx";
import { tagsQuery } from "../channel-queries.ts";
import { TagsField } from "../tags-field.tsx";
import classes from "./extra-section.module.css";
import { type ChannelFormState, hasOwn, readMomentOr0 } from "./channel-form-model.ts";

const INTERVALS = ["test_minutes", "balance_minutes", "models_minutes"] as const;

export function ExtraSection({ form, stored }: { form: ChannelFormState; stored: Channel | undefined }) {
  const { t } = useTranslation("channel-form");
  return (
    <FoldedSection
      title={t("form.extra")}
      summary={t("summaries.extra")}
      opensItself={hasOwn(
        form,
        "soft_limit_usd",
        "organization",
        "proxy",
        "key_expires_at",
        "system_prompt",
        "calc_prompt",
        "test_model",
        "scheduled_checks",
        ...INTERVALS,
        "tags",
        "isReserve",
      )}
    >
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
      {stored?.keys === undefined && <KeyExpiryField form={form} />}
      <CheckFields form={form} />
      <BehaviourFields form={form} />
      <ListFields form={form} isNew={stored === undefined} />
    </FoldedSection>
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

/** The end of the key, of which alerts are sent before. Each of several keys has its own, on the channel's page. */
function KeyExpiryField({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const text = form.values.key_expires_at;
  return (
    <TimeField
      label={t("form.keyExpiry")}
      chooseLabel={t("deadlines.chooseDay")}
      description={t("form.keyExpiryHint")}
      placeholder={t("form.keyExpiryUnknown")}
      value={text}
      problem={Number.isNaN(readMomentOr0(text)) ? t("deadlines.problem") : undefined}
      onChange={(value) => {
        form.setFieldValue("key_expires_at", value);
        form.clearFieldError("key_expires_at");
      }}
    />
  );
}

function CheckFields({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <>
      <Autocomplete
        label={t("form.testModel")}
        description={t("form.testModelHint")}
        data={form.values.models}
        limit={20}
        maxLength={CHANNEL_LIMITS.testModelLength}
        {...form.getInputProps("test_model")}
      />
      <FormWide>
        <Switch
          label={t("form.scheduledChecks")}
          description={t("form.scheduledChecksHint")}
          {...form.getInputProps("scheduled_checks", { type: "checkbox" })}
        />
      </FormWide>
      {form.values.scheduled_checks && (
        <FormWide>
          <fieldset className={classes.intervals} aria-label={t("form.intervals")}>
            {INTERVALS.map((name) => (
              <NumberInput
                key={name}
                label={t(`form.${name}`)}
                placeholder={t("form.intervalAsSet")}
                suffix=" min"
                allowDecimal={false}
                allowNegative={false}
                max={CHANNEL_LIMITS.checkMinutes}
                {...form.getInputProps(name)}
              />
            ))}
          </fieldset>
          <p className={classes.hint}>{t("form.intervalsHint")}</p>
        </FormWide>
      )}
    </>
  );
}

function BehaviourFields({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <>
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
    </>
  );
}

function ListFields({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  const { t } = useTranslation("channel-form");
  const tags = useQuery(tagsQuery);
  return (
    <>
      <FormWide>
        <TagsField
          label={t("form.tags")}
          description={t("form.tagsHint")}
          data={(tags.data ?? []).map(({ tag }) => tag)}
          {...form.getInputProps("tags")}
        />
      </FormWide>
      {isNew && (
        <FormWide>
          <Switch
            label={t("form.reserve")}
            description={t("form.reserveHint")}
            {...form.getInputProps("isReserve", { type: "checkbox" })}
          />
        </FormWide>
      )}
    </>
  );
}
