import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { ActionIcon, Popover, Text, TextInput } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import { NEVER_EXPIRES } from "@one-api/contract/token";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate, formatZone, timeUntil } from "../../../lib/format.ts";
import { EXPIRY_PRESETS, expiryAfter, readExpiry } from "./expiry.ts";
import { PresetButtons } from "./preset-buttons.tsx";
import type { TokenFormState } from "./token-form-model.ts";

const END_OF_DAY = "23:59:59";

const today = () => formatDate(Date.now() / 1_000);
const isPast = (time: number) => time * 1_000 <= Date.now();

function useExpiryHint(time: number | undefined): string {
  const { t, language } = useTranslation("tokens");
  if (time === undefined) return t("form.expiryFormat");
  if (time === NEVER_EXPIRES) return t("form.expiryNever");
  const distance = timeUntil(time, language);
  const zone = formatZone(time).split(" ")[0] ?? "";
  return isPast(time) ? t("form.expiryPast", { distance }) : t("form.expiryAt", { distance, zone });
}

function DayButton({ time, onChoose }: { time: number | undefined; onChoose(day: string): void }) {
  const { t, language } = useTranslation("tokens");
  const [opened, setOpened] = useState(false);
  const day = time === undefined || time === NEVER_EXPIRES ? null : formatDate(time);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon aria-label={t("form.chooseDay")} title={t("form.chooseDay")} onClick={() => setOpened(!opened)}>
          <IconCalendar size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <DatePicker
          value={day}
          defaultDate={day ?? today()}
          minDate={today()}
          locale={language === "zh-CN" ? "zh-cn" : "en"}
          weekendDays={[]}
          onChange={(chosen) => {
            if (chosen !== null) onChoose(chosen);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** When the token expires: typed, chosen from a calendar, or by a preset. */
export function ExpiryField({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const text = form.values.expired_time;
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
    isChosen: seconds === undefined && time === NEVER_EXPIRES,
    onChoose: () => set(expiryAfter(seconds)),
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
        rightSection={<DayButton time={time} onChoose={setDay} />}
        {...form.getInputProps("expired_time")}
      />
      <PresetButtons label={t("form.expiryPresets.label")} presets={presets} />
    </div>
  );
}
