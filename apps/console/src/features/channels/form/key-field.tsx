import { Switch, Textarea } from "@mantine/core";
import { channelTypeInfo } from "@one-api/contract/channel-types";
import { useTranslation } from "react-i18next";
import { FormWide } from "../../../components/form/form-section.tsx";
import type { ChannelFormState } from "./channel-values.ts";
import classes from "./channel-form.module.css";
import { keyLines } from "./key-lines.ts";

/** The key as one secret, or one per line for as many channels. */
export function KeyField({ form, isNew }: { form: ChannelFormState; isNew: boolean }) {
  const { t } = useTranslation("channels");
  const { type, isBatch, key } = form.values;
  const hint = channelTypeInfo(type)?.keyHint;
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
              {t("form.batchCount", { count: keyLines(key).length })}
            </span>
          )}
        </div>
      )}
    </FormWide>
  );
}
