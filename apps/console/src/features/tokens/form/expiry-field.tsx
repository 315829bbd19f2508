import { Text, TextInput } from "@mantine/core";
import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import { useState } from "react";
import { DayButton } from "../../../components/form/time/day-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate, formatZone, timeUntil } from "../../../lib/format.ts";
import { today } from "../../../components/form/time/read-moment.ts";
import { EXPIRY_PRESETS, expiryAfter, readExpiry } from "./expiry.ts";
import { PresetButtons } from "../../../components/form/preset-buttons.tsx";
import type { TokenFormState } from "./token-form-model.ts";

const END_OF_DAY = "23:59:59";

const isPast = (time: number) => time * 1_000 <= Date.now();

function useExpiryHint(time: number | undefined): string {
  const { t, language } = useTranslation("tokens");
  if (time === undefined) return t("form.expiryFormat");
  if (time === NEVER_EXPIRES) return t("form.expiryNever");
  const words = timeUntil(time, language);
  const distance = words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
  const zone = formatZone(time).split(" ")[0] ?? "";
  return isPast(time) ? t("form.expiryPast", { distance }) : t("form.expiryAt", { distance, zone });
}

interface Chosen {
  readonly name: string;
  readonly text: string;
}

export function ExpiryField({ form, isNew }: { form: TokenFormState; isNew: boolean }) {
  const { t } = useTranslation("tokens");
  const text = form.values.expired_time;
  // A new token starts with the expiry of this preset.
  const [chosen, setChosen] = useState<Chosen | undefined>(isNew ? { name: "month", text } : undefined);
  const time = readExpiry(text);
  const hint = useExpiryHint(time);
  const isOver = time !== undefined && time !== NEVER_EXPIRES && isPast(time);
  const set = (value: string) => {
    form.setFieldValue("expired_time", value);
    form.clearFieldError("expired_time");
  };
  const setDay = (day: string) => set(`${day} ${/\d{1,2}:\d{2}(:\d{2})?$/.exec(text.trim())?.[0] ?? END_OF_DAY}`);
  const presets = EXPIRY_PRESETS.map(({ name, seconds }) => ({
    id: name,
    label: t(`form.expiryPresets.${name}`),
    isChosen: seconds === undefined ? time === NEVER_EXPIRES : chosen?.name === name && chosen.text === text,
    onChoose: () => {
      const moment = expiryAfter(seconds);
      setChosen({ name, text: moment });
      set(moment);
    },
  }));
  return (
    <div>
      <TextInput
        label={t("form.expiry")}
        description={
          isOver ? (
            <Text component="span" inherit c="warning" role="status">
              {hint}
            </Text>
          ) : (
            hint
          )
        }
        placeholder={t("form.expiryPlaceholder")}
        rightSection={
          <DayButton
            label={t("form.chooseDay")}
            day={time === undefined || time === NEVER_EXPIRES ? undefined : formatDate(time)}
            first={today()}
            onChoose={setDay}
          />
        }
        {...form.getInputProps("expired_time")}
      />
      <PresetButtons label={t("form.expiryPresets.label")} presets={presets} />
    </div>
  );
}
