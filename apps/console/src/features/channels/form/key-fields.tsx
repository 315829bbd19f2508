import { PasswordInput, Switch, Textarea, TextInput } from "@mantine/core";
import { keyHint } from "@one-api/contract/channel-key";
import { channelTypeInfo } from "@one-api/contract/channel-types";
import { useTranslation } from "react-i18next";
import { FormWide } from "../../../components/form/form-section.tsx";
import { type ChannelFormState, countKeys, type KeyPartField, keyPartsOf } from "./channel-form-model.ts";
import classes from "./key-fields.module.css";

/** The key as one secret, or one per line for as many channels. */
export function KeyField({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  const { t } = useTranslation("channels");
  const { type, isBatch } = form.values;
  const keyForm = channelTypeInfo(type)?.key;
  const hint = keyForm === undefined ? undefined : keyHint(keyForm);
  const format = hint === undefined ? t("form.keyPlaceholder") : hint;
  return (
    <FormWide>
      <Textarea
        label={t("form.key")}
        withAsterisk={isNew}
        description={hint === undefined ? undefined : t("form.keyFormat", { format: hint })}
        placeholder={isNew ? format : t("form.keyKept")}
        autosize
        minRows={isBatch ? 5 : 1}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        classNames={{ input: classes.secret ?? "" }}
        {...form.getInputProps("key")}
      />
      {isNew && (
        <div className={classes.batch}>
          <Switch label={t("form.batch")} {...form.getInputProps("isBatch", { type: "checkbox" })} />
          {isBatch && (
            <span className={classes.count} role="status">
              {t("form.batchCount", { count: countKeys(form.values) })}
            </span>
          )}
        </div>
      )}
    </FormWide>
  );
}

interface KeyPartFieldProps {
  form: ChannelFormState;
  part: KeyPartField;
  isNew: boolean;
}

function PartField({ form, part, isNew }: KeyPartFieldProps) {
  const { t } = useTranslation("channels");
  const field = {
    label: t(`form.parts.${part.config}`),
    withAsterisk: isNew,
    autoComplete: "off",
    spellCheck: false,
    ...form.getInputProps(part.config),
  };
  const kept = isNew ? "" : t("form.keyKept");
  if (part.isDocument === true) {
    return (
      <FormWide>
        <Textarea
          description={t("form.credentialsHint")}
          placeholder={isNew ? '{ "type": "service_account", … }' : kept}
          autosize
          minRows={3}
          maxRows={12}
          classNames={{ input: classes.secret ?? "" }}
          {...field}
        />
      </FormWide>
    );
  }
  if (part.isSecret !== true) return <TextInput placeholder={part.config === "region" ? "us-east-1" : ""} {...field} />;
  return (
    <PasswordInput placeholder={kept} visibilityToggleButtonProps={{ "aria-label": t("form.showSecret") }} {...field} />
  );
}

/** The fields that the key of the type is assembled from. */
export function KeyPartFields({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  return keyPartsOf(form.values.type).map((part) => (
    <PartField key={part.config} form={form} part={part} isNew={isNew} />
  ));
}
