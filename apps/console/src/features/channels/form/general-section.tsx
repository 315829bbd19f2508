import { Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import type { ChannelFormState } from "./channel-values.ts";
import { TypeSelect } from "./type-select.tsx";

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
