import { Checkbox, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import {
  ALERT_KINDS,
  type AlertKind,
  ALERTS_WITH_MARKS,
  RECEIVER_LANGUAGES,
  URGENT_ALERTS,
  USE_MARKS,
} from "@one-api/contract/notifications/notification-constants";
import { Select } from "../../../components/floating/select.tsx";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../notifications.module.css";
import type { ReceiverValues } from "./receiver-form-model.ts";

const ZONES_SHOWN = 50;

const EXPIRY_ALERTS: ReadonlySet<AlertKind> = new Set(["certificate-expiring", "key-expiring"]);

interface FieldsProps {
  form: UseFormReturnType<ReceiverValues>;
}

export function AlertFields({ form }: FieldsProps) {
  const { t } = useTranslation("notifications");
  const hintOf = (kind: AlertKind) => {
    if (URGENT_ALERTS.has(kind)) return t("urgent");
    return EXPIRY_ALERTS.has(kind) ? t("form.expiryHint") : undefined;
  };
  return (
    <FormSection title={t("columns.alerts")}>
      <FormWide>
        <Checkbox.Group label={t("form.alerts")} withAsterisk {...form.getInputProps("alerts")}>
          <div className={classes.choices}>
            {ALERT_KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={t(`alerts.${kind}`)} description={hintOf(kind)} />
            ))}
          </div>
        </Checkbox.Group>
      </FormWide>
      {form.getValues().alerts.some((kind) => ALERTS_WITH_MARKS.has(kind)) && (
        <FormWide>
          <Checkbox.Group label={t("form.marks")} withAsterisk {...form.getInputProps("marks")}>
            <div className={classes.marks}>
              {USE_MARKS.map((mark) => (
                <Checkbox key={mark} value={String(mark)} label={`${mark}%`} />
              ))}
            </div>
          </Checkbox.Group>
        </FormWide>
      )}
      <Select
        aria-label={t("form.language")}
        label={t("form.language")}
        data={RECEIVER_LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }))}
        value={form.getValues().language}
        onChange={(chosen) => {
          const language = RECEIVER_LANGUAGES.find((known) => known === chosen);
          if (language !== undefined) form.setFieldValue("language", language);
        }}
      />
      <Switch
        label={t("enabled")}
        description={t("form.enabledHint")}
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
    </FormSection>
  );
}

/** The browser's names of time zones. The stored one may be another name, such as UTC. */
function timeZones(stored: string) {
  return [...new Set([stored, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((name) => ({
    value: name,
    label: name,
    keywords: name.replaceAll(/[/_]/g, " "),
  }));
}

export function QuietFields({ form }: FieldsProps) {
  const { t } = useTranslation("notifications");
  const { hasQuietHours } = form.getValues();
  return (
    <FormSection title={t("columns.quietHours")} description={t("form.quietHint")}>
      <FormWide>
        <Switch label={t("form.quiet")} {...form.getInputProps("hasQuietHours", { type: "checkbox" })} />
      </FormWide>
      {hasQuietHours && (
        <>
          <div className={classes.times}>
            <TextInput type="time" label={t("form.start")} {...form.getInputProps("quiet_hours_start")} />
            <TextInput type="time" label={t("form.end")} {...form.getInputProps("quiet_hours_end")} />
          </div>
          <Select
            aria-label={t("form.timeZone")}
            label={t("form.timeZone")}
            data={timeZones(form.getValues().quiet_hours_time_zone)}
            value={form.getValues().quiet_hours_time_zone}
            searchable
            limit={ZONES_SHOWN}
            onChange={(zone) => {
              if (zone !== null) form.setFieldValue("quiet_hours_time_zone", zone);
            }}
          />
        </>
      )}
    </FormSection>
  );
}
