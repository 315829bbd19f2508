import { NumberInput } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { useState } from "react";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { PresetButtons } from "../../../components/form/preset-buttons.tsx";
import { today } from "../../../components/form/time/read-moment.ts";
import { TimeField } from "../../../components/form/time/time-field.tsx";
import { formatTime, timeUntil } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type ChannelFormState, hasOwn, readMomentOr0 } from "./channel-form-model.ts";

const DEADLINES = ["first_token_seconds", "idle_seconds", "total_seconds"] as const;

const HOUR = 3_600;
const PRESETS = [
  { name: "hour", seconds: HOUR },
  { name: "fiveHours", seconds: 5 * HOUR },
  { name: "day", seconds: 24 * HOUR },
  { name: "week", seconds: 7 * 24 * HOUR },
] as const;

export function DeadlinesSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  return (
    <FoldedSection
      title={t("deadlines.title")}
      description={t("deadlines.description")}
      summary={t("summaries.deadlines")}
      opensItself={hasOwn(form, ...DEADLINES, "paused_until")}
    >
      {DEADLINES.map((name) => (
        <NumberInput
          key={name}
          label={t(`deadlines.${name}`)}
          description={t(`deadlines.${name}_hint`)}
          placeholder={t(name === "total_seconds" ? "deadlines.none" : "deadlines.usual")}
          suffix=" s"
          allowDecimal={false}
          allowNegative={false}
          max={CHANNEL_LIMITS.deadlineSeconds}
          {...form.getInputProps(name)}
        />
      ))}
      <FormWide>
        <PauseField form={form} />
      </FormWide>
    </FoldedSection>
  );
}

function PauseField({ form }: { form: ChannelFormState }) {
  const { t, language } = useTranslation("channel-form");
  const [openedAt] = useState(() => Math.floor(Date.now() / 1_000));
  const text = form.values.paused_until;
  const until = readMomentOr0(text);
  const set = (value: string) => {
    form.setFieldValue("paused_until", value);
    form.clearFieldError("paused_until");
  };
  const isAhead = until > openedAt;
  const choices = PRESETS.map(({ name, seconds }) => ({
    id: name,
    label: t(`deadlines.presets.${name}`),
    onChoose: () => set(formatTime(Math.floor(Date.now() / 1_000) + seconds)),
  }));
  return (
    <>
      <TimeField
        label={t("deadlines.pausedUntil")}
        chooseLabel={t("deadlines.chooseDay")}
        description={isAhead ? timeUntil(until, language) : t("deadlines.pausedUntilHint")}
        placeholder={t("deadlines.notPaused")}
        value={text}
        problem={Number.isNaN(until) ? t("deadlines.problem") : undefined}
        first={today()}
        onChange={set}
      />
      <PresetButtons
        label={t("deadlines.presets.label")}
        presets={[...choices, { id: "none", label: t("deadlines.presets.none"), onChoose: () => set("") }]}
      />
    </>
  );
}
