import { Switch, Textarea, TextInput } from "@mantine/core";
import { keyHint } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { SecretInput } from "../../../components/secret-input.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FormWide } from "../../../components/form/form-section.tsx";
import { type ChannelFormState, countKeys, type KeyPartField, keyPartsOf } from "./channel-form-model.ts";
import classes from "./key-fields.module.css";

interface KeyFieldsProps {
  form: ChannelFormState;
  isNew: boolean;
  /** The address or type changed, so the stored key does not apply. */
  isMoved: boolean;
}

function BatchCount({ form }: Pick<KeyFieldsProps, "form">) {
  const { t } = useTranslation("channel-form");
  const { count, repeated } = countKeys(form.values);
  const name = form.values.name.trim();
  const isNamed = count > 1 && name !== "";
  return (
    <>
      {isNamed ? t("form.batchNames", { count, name }) : t("form.batchCount", { count })}
      {repeated > 0 && ` ${t("form.batchRepeated", { count: repeated })}`}
    </>
  );
}

export function KeyField({ form, isNew, isMoved }: KeyFieldsProps) {
  const { t } = useTranslation("channel-form");
  const { type, isBatch, isKeyList } = form.values;
  const keyForm = channelTypeInfo(type)?.key;
  const hint = keyForm === undefined ? undefined : keyHint(keyForm);
  const format = hint === undefined ? t("form.keyPlaceholder") : hint;
  const explain = keyForm?.isOlder === true ? "form.keyFormatOlder" : "form.keyFormat";
  const hints = [
    hint === undefined ? "" : t(explain, { format: hint }),
    isMoved ? t("form.keyAgain") : "",
    isNew ? t("form.accessHint") : "",
  ];
  return (
    <FormWide>
      <div className={classes.key}>
        <Textarea
          label={t("form.key")}
          withAsterisk={isNew || isMoved}
          description={hints.filter((text) => text !== "").join(" ") || undefined}
          placeholder={isNew || isMoved ? format : t("form.keyKept")}
          autosize
          minRows={isBatch || isKeyList ? 5 : 1}
          maxRows={12}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          classNames={{ input: classes.secret ?? "" }}
          {...form.getInputProps("key")}
        />
        {isNew && <SeveralKeys form={form} />}
      </div>
    </FormWide>
  );
}

function SeveralKeys({ form }: Pick<KeyFieldsProps, "form">) {
  const { t } = useTranslation("channel-form");
  const { isBatch, isKeyList } = form.values;
  const batch = form.getInputProps("isBatch", { type: "checkbox" });
  const list = form.getInputProps("isKeyList", { type: "checkbox" });
  return (
    // Leaving the key by a press would show its error first, which moves the switches from under the pointer.
    <div className={classes.batch} role="presentation" onMouseDown={(event) => event.preventDefault()}>
      <Switch
        label={t("form.batch")}
        {...batch}
        onChange={({ currentTarget: { checked } }) => {
          form.setFieldValue("isBatch", checked);
          if (checked) form.setFieldValue("isKeyList", false);
        }}
      />
      <Switch
        label={t("form.keyList")}
        {...list}
        onChange={({ currentTarget: { checked } }) => {
          form.setFieldValue("isKeyList", checked);
          if (checked) form.setFieldValue("isBatch", false);
        }}
      />
      {(isBatch || isKeyList) && (
        <span className={classes.count} role="status">
          {isBatch ? <BatchCount form={form} /> : t("form.keyListCount", { count: countKeys(form.values).count })}
        </span>
      )}
    </div>
  );
}

function PartField({ form, part, isNew, isMoved }: KeyFieldsProps & { part: KeyPartField }) {
  const { t } = useTranslation("channel-form");
  const field = {
    label: t(`form.parts.${part.config}`),
    withAsterisk: isNew || isMoved,
    autoComplete: "off",
    spellCheck: false,
    ...form.getInputProps(part.config),
  };
  const kept = isNew || isMoved ? "" : t("form.keyKept");
  if (part.isDocument === true) {
    return (
      <FormWide>
        <Textarea
          description={t("form.credentialsHint")}
          placeholder={isNew || isMoved ? '{ "type": "service_account", … }' : kept}
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
    <SecretInput placeholder={kept} visibilityToggleButtonProps={{ "aria-label": t("form.showSecret") }} {...field} />
  );
}

export function KeyPartFields(props: KeyFieldsProps) {
  return keyPartsOf(props.form.values.type).map((part) => <PartField key={part.config} part={part} {...props} />);
}
