import { Button, Input, NumberInput, SimpleGrid } from "@mantine/core";
import { type AliasConditions, FIRST_TOKEN_LIMITS } from "@one-api/contract/channels/model-aliases";
import { useState } from "react";
import { ChoiceButtons } from "../../../../components/boxes/choice-buttons.tsx";
import { Dialog, DialogFoot } from "../../../../components/dialogs/dialog.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import type { AliasRow } from "./aliases-text.ts";

type Limits = Pick<AliasRow, "when" | "firstTokenMs">;
type Flag = "tools" | "images";
type Amount = Exclude<keyof AliasConditions, Flag>;

interface ConditionsDialogProps {
  row: AliasRow;
  onClose(): void;
  onApply(limits: Limits): void;
}

const FLAGS = ["any", "with", "without"] as const;

function withValue<Key extends keyof AliasConditions>(
  when: AliasConditions,
  key: Key,
  value: AliasConditions[Key] | undefined,
): AliasConditions {
  const { [key]: _old, ...rest } = when;
  return value === undefined ? rest : { ...rest, [key]: value };
}

interface FieldProps<Key extends keyof AliasConditions> {
  name: Key;
  when: AliasConditions;
  setWhen(when: AliasConditions): void;
}

function AmountField({ name, when, setWhen, error }: FieldProps<Amount> & { error?: string | undefined }) {
  const { t } = useTranslation("channel-form");
  const isPrice = name === "input_price_to" || name === "output_price_to";
  return (
    <NumberInput
      label={t(`aliases.fields.${name}`)}
      placeholder={t("deadlines.none")}
      error={error}
      hideControls
      allowNegative={false}
      allowDecimal={isPrice}
      min={isPrice ? 0 : 1}
      prefix={isPrice ? "$" : ""}
      thousandSeparator=","
      value={when[name] ?? ""}
      onChange={(value) => setWhen(withValue(when, name, value === "" ? undefined : Number(value)))}
    />
  );
}

function FlagField({ name, when, setWhen }: FieldProps<Flag>) {
  const { t } = useTranslation("channel-form");
  return (
    <Input.Wrapper label={t(`aliases.fields.${name}`)} labelElement="div">
      <ChoiceButtons
        label={t(`aliases.fields.${name}`)}
        choices={FLAGS.map((value) => ({ value, text: t(`aliases.flags.${value}`) }))}
        value={when[name] === undefined ? "any" : when[name] ? "with" : "without"}
        onChange={(value) => setWhen(withValue(when, name, value === "any" ? undefined : value === "with"))}
      />
    </Input.Wrapper>
  );
}

/** Conditions and deadline of one model of an alias. They are saved with the aliases. */
export default function ConditionsDialog({ row, onClose, onApply }: ConditionsDialogProps) {
  const { t } = useTranslation("channel-form", "common");
  const [{ when, firstTokenMs }, setLimits] = useState<Limits>(row);
  const field = { when, setWhen: (next: AliasConditions) => setLimits({ when: next, firstTokenMs }) };
  const { prompt_from: from = 0, prompt_to: to = Number.POSITIVE_INFINITY } = when;
  const isReversed = to < from;
  return (
    <Dialog opened onClose={onClose} title={t("aliases.conditionsOf", { model: row.model })}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <AmountField name="prompt_from" {...field} />
        <AmountField name="prompt_to" {...field} error={isReversed ? t("aliases.reversed") : undefined} />
        <FlagField name="tools" {...field} />
        <FlagField name="images" {...field} />
        <AmountField name="input_price_to" {...field} />
        <AmountField name="output_price_to" {...field} />
        <NumberInput
          label={t("aliases.fields.first_token_ms")}
          placeholder={t("deadlines.none")}
          description={t("aliases.deadlineHint")}
          hideControls
          suffix=" ms"
          min={FIRST_TOKEN_LIMITS.least}
          max={FIRST_TOKEN_LIMITS.most}
          allowNegative={false}
          allowDecimal={false}
          value={firstTokenMs ?? ""}
          onChange={(value) => setLimits({ when, firstTokenMs: value === "" ? undefined : Number(value) })}
        />
      </SimpleGrid>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t("common:cancel")}
        </Button>
        <Button disabled={isReversed} onClick={() => onApply({ when, firstTokenMs })}>
          {t("aliases.apply")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
