import { PasswordInput, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FormWide } from "../../../components/form/form-section.tsx";
import { type KeyPart, keyPartsOf } from "./channel-config.ts";
import classes from "./channel-form.module.css";
import type { ChannelFormState } from "./channel-values.ts";

const SECRET_PARTS: ReadonlySet<KeyPart> = new Set(["sk"]);

interface KeyPartFieldProps {
  form: ChannelFormState;
  part: KeyPart;
  isNew: boolean;
}

function KeyPartField({ form, part, isNew }: KeyPartFieldProps) {
  const { t } = useTranslation("channels");
  const field = {
    label: t(`form.parts.${part}`),
    withAsterisk: isNew,
    autoComplete: "off",
    spellCheck: false,
    ...form.getInputProps(part),
  };
  const kept = isNew ? "" : t("form.keyKept");
  if (part === "vertex_ai_adc") {
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
  if (!SECRET_PARTS.has(part)) return <TextInput placeholder={part === "region" ? "us-east-1" : ""} {...field} />;
  return (
    <PasswordInput placeholder={kept} visibilityToggleButtonProps={{ "aria-label": t("form.showSecret") }} {...field} />
  );
}

/** The fields that the key of the type is assembled from. */
export function KeyPartFields({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  return keyPartsOf(form.values.type).map((part) => <KeyPartField key={part} form={form} part={part} isNew={isNew} />);
}
