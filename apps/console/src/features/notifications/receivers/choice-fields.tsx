import { Checkbox, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import {
  ALERT_KINDS,
  CHANNEL_ALERTS,
  type AlertKind,
  ALERTS_WITH_MARKS,
  RECEIVER_LANGUAGES,
  URGENT_ALERTS,
  USE_MARKS,
} from "@one-api/contract/notifications/notification-constants";
import { Select } from "../../../components/floating/select.tsx";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { PresetButtons } from "../../../components/form/preset-buttons.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../notifications.module.css";
import type { ReceiverValues } from "./receiver-form-model.ts";

const ZONES_SHOWN = 50;

const EXPIRY_ALERTS: ReadonlySet<AlertKind> = new Set(["certificate-expiring", "key-expiring"]);

interface AlertGroup {
  readonly id: "channels" | "money" | "prices" | "server";
  readonly kinds: readonly AlertKind[];
}

/** Alerts by what they are about. */
const NAMED_GROUPS: readonly AlertGroup[] = [
  {
    id: "channels",
    kinds: CHANNEL_ALERTS,
  },
  { id: "money", kinds: ["budget-used", "balance-used"] },
  { id: "prices", kinds: ["model-without-price", "prices-changed", "prices-found"] },
];

/** The last one has all kinds that no other names. */
const ALERT_GROUPS: readonly AlertGroup[] = [
  ...NAMED_GROUPS,
  { id: "server", kinds: ALERT_KINDS.filter((kind) => NAMED_GROUPS.every(({ kinds }) => !kinds.includes(kind))) },
];

interface FieldsProps {
  form: UseFormReturnType<ReceiverValues>;
}

function AlertPresets({ form }: FieldsProps) {
  const { t } = useTranslation("notifications");
  const { alerts } = form.getValues();
  const choices = { all: ALERT_KINDS, urgent: ALERT_KINDS.filter((kind) => URGENT_ALERTS.has(kind)), none: [] };
  const presets = (["all", "urgent", "none"] as const).map((id) => ({
    id,
    label: t(`form.presets.${id}`),
    isChosen: choices[id].length === alerts.length && choices[id].every((kind) => alerts.includes(kind)),
    onChoose: () => form.setFieldValue("alerts", [...choices[id]]),
  }));
  return <PresetButtons label={t("form.presets.label")} presets={presets} />;
}

/** The boxes of all alerts, by what they are about. */
function AlertBoxes() {
  const { t } = useTranslation("notifications");
  const hintOf = (kind: AlertKind) => {
    if (URGENT_ALERTS.has(kind)) return t("urgent");
    return EXPIRY_ALERTS.has(kind) ? t("form.expiryHint") : undefined;
  };
  return ALERT_GROUPS.map(({ id, kinds }) => (
    <div key={id} className={classes.group} role="group" aria-label={t(`form.groups.${id}`)}>
      <div className={classes.groupName} aria-hidden>
        {t(`form.groups.${id}`)}
      </div>
      <div className={classes.choices}>
        {kinds.map((kind) => (
          <Checkbox key={kind} value={kind} label={t(`alerts.${kind}`)} description={hintOf(kind)} />
        ))}
      </div>
    </div>
  ));
}

export function AlertFields({ form }: FieldsProps) {
  const { t } = useTranslation("notifications");
  return (
    <FormSection title={t("columns.alerts")}>
      <FormWide>
        <Checkbox.Group label={t("form.alerts")} description={t("form.alertsHint")} {...form.getInputProps("alerts")}>
          <AlertPresets form={form} />
          <AlertBoxes />
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
