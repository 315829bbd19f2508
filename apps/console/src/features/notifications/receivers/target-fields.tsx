import { Button, Input, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import {
  RECEIVER_KINDS,
  RECEIVER_LIMITS,
  RECEIVER_SECRETS,
} from "@one-api/contract/notifications/notification-constants";
import type { Receiver } from "@one-api/contract/notifications/receiver";
import type { ReactNode } from "react";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { Select } from "../../../components/floating/select.tsx";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { SecretInput } from "../../../components/secret-input.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../notifications.module.css";
import { addressForm, type ReceiverValues, secretForm } from "./receiver-form-model.ts";
import { generateWebhookSecret } from "./webhook-secret.ts";

interface TargetFieldsProps {
  form: UseFormReturnType<ReceiverValues>;
  receiver: Receiver | undefined;
}

export function TargetFields({ form, receiver }: TargetFieldsProps) {
  const { t } = useTranslation("notifications");
  const { kind } = form.getValues();
  const address = addressForm(kind);
  return (
    <FormSection title={t("form.target")} description={t(`hints.${kind}`)}>
      <TextInput
        label={t("columns.name")}
        withAsterisk
        maxLength={RECEIVER_LIMITS.nameLength}
        {...form.getInputProps("name")}
      />
      {receiver === undefined ? (
        <Select
          aria-label={t("columns.kind")}
          label={t("columns.kind")}
          data={RECEIVER_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={(chosen) => {
            const next = RECEIVER_KINDS.find((known) => known === chosen);
            if (next !== undefined && next !== kind) form.setValues({ kind: next, secret: "" });
          }}
        />
      ) : (
        <Input.Wrapper label={t("columns.kind")} labelElement="div">
          <div className={classes.fixed}>{t(`kinds.${kind}`)}</div>
        </Input.Wrapper>
      )}
      <FormWide>
        <TextInput
          label={t(`form.address.${address}`)}
          description={receiver === undefined ? undefined : t("form.keepAddress")}
          placeholder={receiver?.address ?? t(`form.placeholder.${kind}`)}
          withAsterisk={receiver === undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={RECEIVER_LIMITS.addressLength}
          {...form.getInputProps("address")}
        />
      </FormWide>
      {RECEIVER_SECRETS[kind] !== "none" && <SecretField form={form} receiver={receiver} />}
    </FormSection>
  );
}

function SecretField({ form, receiver }: TargetFieldsProps) {
  const { t } = useTranslation("notifications");
  const { kind, secret } = form.getValues();
  const isStored = receiver?.has_secret === true;
  const hint = isStored ? t("form.keepSecret") : t(`form.secretHint.${secretForm(kind)}`);
  const withActions = (input: ReactNode) => (
    <div className={classes.secretActions}>
      {input}
      {secret !== "" && <CopyButton text={secret} label={t("form.copySecret")} />}
      <Button variant="default" onClick={() => form.setFieldValue("secret", generateWebhookSecret())}>
        {t("form.generate")}
      </Button>
    </div>
  );
  return (
    <FormWide>
      <SecretInput
        label={t(`form.secret.${secretForm(kind)}`)}
        description={hint}
        withAsterisk={RECEIVER_SECRETS[kind] === "required" && !isStored}
        autoComplete="new-password"
        maxLength={RECEIVER_LIMITS.secretLength}
        {...(kind === "webhook" && { inputContainer: withActions })}
        {...form.getInputProps("secret")}
      />
    </FormWide>
  );
}
