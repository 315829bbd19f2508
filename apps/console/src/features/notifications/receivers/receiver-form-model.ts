import type { FormErrors } from "@mantine/form";
import type { Schema } from "@one-api/contract/call";
import {
  ALERT_KINDS,
  type AlertKind,
  QUIET_DEFAULTS,
  type RECEIVER_LANGUAGES,
  type ReceiverKind,
  USE_MARKS,
} from "@one-api/contract/notifications/notification-constants";
import {
  type CreateReceiverInput,
  createReceiverInputSchema,
  type Receiver,
  type UpdateReceiverInput,
  updateReceiverInputSchema,
} from "@one-api/contract/notifications/receiver";
import { viewerTimeZone } from "../../../lib/format.ts";
import { currentLanguage } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../../lib/validate-form.ts";

export interface ReceiverValues {
  name: string;
  kind: ReceiverKind;
  address: string;
  secret: string;
  alerts: AlertKind[];
  /** Percents in the form of texts, as checkboxes have them. */
  marks: string[];
  language: (typeof RECEIVER_LANGUAGES)[number];
  hasQuietHours: boolean;
  quiet_hours_start: string;
  quiet_hours_end: string;
  quiet_hours_time_zone: string;
  enabled: boolean;
}

/** Values of a new receiver: all alerts, in the viewer's language, and the viewer's time zone. */
export function newReceiverValues(): ReceiverValues {
  return {
    name: "",
    kind: "webhook",
    address: "",
    secret: "",
    alerts: [...ALERT_KINDS],
    marks: USE_MARKS.map(String),
    language: currentLanguage(),
    hasQuietHours: false,
    quiet_hours_start: QUIET_DEFAULTS.start,
    quiet_hours_end: QUIET_DEFAULTS.end,
    quiet_hours_time_zone: viewerTimeZone(),
    enabled: true,
  };
}

/** Values of a stored receiver. Its address and secret are unknown here; empty fields leave them as they are. */
export function storedReceiverValues({
  name,
  kind,
  alerts,
  marks,
  language,
  quiet_hours,
  enabled,
}: Receiver): ReceiverValues {
  const { start, end, time_zone } = quiet_hours ?? {};
  const values = newReceiverValues();
  return {
    ...values,
    name,
    kind,
    alerts: [...alerts],
    marks: marks.map(String),
    language,
    enabled,
    hasQuietHours: quiet_hours !== null,
    quiet_hours_start: start ?? values.quiet_hours_start,
    quiet_hours_end: end ?? values.quiet_hours_end,
    quiet_hours_time_zone: time_zone ?? values.quiet_hours_time_zone,
  };
}

export function receiverPayload(values: ReceiverValues, id?: number): CreateReceiverInput | UpdateReceiverInput {
  const { name, kind, address, secret, alerts, language, enabled } = values;
  const marks = USE_MARKS.filter((mark) => values.marks.includes(String(mark)));
  const quiet_hours = values.hasQuietHours
    ? { start: values.quiet_hours_start, end: values.quiet_hours_end, time_zone: values.quiet_hours_time_zone }
    : null;
  const input = { name: name.trim(), kind, address: address.trim(), secret: secret.trim(), alerts, marks, language };
  return { ...(id === undefined ? {} : { id }), ...input, quiet_hours, enabled };
}

function schemaOf(id: number | undefined): Schema {
  return id === undefined ? createReceiverInputSchema : updateReceiverInputSchema;
}

export function useReceiverProblems(id: number | undefined): (values: ReceiverValues) => FormErrors {
  const { t } = useTranslation("notifications");
  const validate = useValidateForm();
  return (values) => {
    const texts: ProblemTexts<keyof ReceiverValues> = {
      name: { missing: t("problems.name") },
      address: { "not-valid": t(`problems.address.${addressForm(values.kind)}`) },
      secret: { "not-valid": t(`problems.secret.${secretForm(values.kind)}`) },
      marks: { "too-short": t("problems.marks"), missing: t("problems.marks") },
      quiet_hours_start: t("problems.time"),
      quiet_hours_end: t("problems.time"),
      quiet_hours_time_zone: t("problems.timeZone"),
    };
    return validate(schemaOf(id), receiverPayload(values, id), texts);
  };
}

export function addressForm(kind: ReceiverKind): "url" | "chat" | "email" {
  if (kind === "telegram") return "chat";
  return kind === "mail" ? "email" : "url";
}

export function secretForm(kind: ReceiverKind): "webhook" | "token" | "signing" {
  if (kind === "webhook") return "webhook";
  return kind === "telegram" ? "token" : "signing";
}
