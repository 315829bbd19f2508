import { Button, TextInput } from "@mantine/core";
import { PRICE_TIERS, TOKEN_PARTS, type TokenPart } from "@one-api/contract/prices/model-prices";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { Select } from "../../../../components/floating/select.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { choiceOf } from "../../../../lib/values/read-values.ts";
import classes from "./model-prices.module.css";
import { newStep, PRICED_BY, type PriceDraft, type StepDraft } from "./price-draft.ts";

interface PartFieldsProps {
  parts: PriceDraft["parts"];
  onChange(parts: PriceDraft["parts"]): void;
}

/** Dollars per million tokens of each kind. */
function PartFields({ parts, onChange }: PartFieldsProps) {
  const { t } = useTranslation("settings");
  const field = (part: TokenPart) => (
    <TextInput
      key={part}
      size="xs"
      inputMode="decimal"
      label={t(`modelPrices.parts.${part}`)}
      leftSection="$"
      leftSectionWidth={20}
      withAsterisk={part === "input" || part === "output"}
      data-autofocus={part === "input" || undefined}
      value={parts[part]}
      onChange={(event) => onChange({ ...parts, [part]: event.currentTarget.value })}
    />
  );
  return <div className={classes.parts}>{TOKEN_PARTS.map(field)}</div>;
}

interface StepFieldsProps {
  step: StepDraft;
  onChange(step: StepDraft): void;
  onRemove(): void;
}

function StepFields({ step, onChange, onRemove }: StepFieldsProps) {
  const { t } = useTranslation("settings");
  return (
    <fieldset className={classes.step}>
      <legend>{t("modelPrices.longPrompt")}</legend>
      <TextInput
        size="xs"
        inputMode="numeric"
        label={t("modelPrices.above")}
        placeholder="200000"
        value={step.above}
        onChange={(event) => onChange({ ...step, above: event.currentTarget.value })}
      />
      <PartFields parts={step.parts} onChange={(parts) => onChange({ ...step, parts })} />
      <Button variant="subtle" size="xs" leftSection={<IconTrash size={14} />} onClick={onRemove}>
        {t("modelPrices.removeStep")}
      </Button>
    </fieldset>
  );
}

function TierFields({ price, onChange }: PriceFieldsProps) {
  const { t } = useTranslation("settings");
  const { tiers } = price;
  return (
    <fieldset className={classes.step}>
      <legend>{t("modelPrices.tiers")}</legend>
      <p className={classes.note}>{t("modelPrices.tiersText")}</p>
      <div className={classes.parts}>
        {PRICE_TIERS.map((tier) => (
          <TextInput
            key={tier}
            size="xs"
            inputMode="decimal"
            label={tier}
            leftSection="×"
            leftSectionWidth={20}
            value={tiers[tier]}
            onChange={(event) => onChange({ ...price, tiers: { ...tiers, [tier]: event.currentTarget.value } })}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PriceFieldsProps {
  price: PriceDraft;
  onChange(price: PriceDraft): void;
}

function TokenFields({ price, onChange }: PriceFieldsProps) {
  const { t } = useTranslation("settings");
  const { steps } = price;
  return (
    <>
      <p className={classes.note}>{t("modelPrices.partsText")}</p>
      <PartFields parts={price.parts} onChange={(parts) => onChange({ ...price, parts })} />
      {steps.map((step) => (
        <StepFields
          key={step.id}
          step={step}
          onChange={(next) => onChange({ ...price, steps: steps.map((one) => (one.id === step.id ? next : one)) })}
          onRemove={() => onChange({ ...price, steps: steps.filter(({ id }) => id !== step.id) })}
        />
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange({ ...price, steps: [...steps, newStep()] })}
      >
        {t("modelPrices.addStep")}
      </Button>
    </>
  );
}

export function PriceFields({ price, onChange }: PriceFieldsProps) {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.price}>
      <div className={classes.head}>
        <TextInput
          label={t("modelPrices.from")}
          description={t("modelPrices.fromHint")}
          inputWrapperOrder={["label", "input", "description"]}
          placeholder="2026-12-01"
          value={price.from}
          onChange={(event) => onChange({ ...price, from: event.currentTarget.value })}
        />
        <Select
          aria-label={t("modelPrices.pricedBy")}
          label={t("modelPrices.pricedBy")}
          data={PRICED_BY.map((value) => ({ value, label: t(`modelPrices.by.${value}`) }))}
          value={price.by}
          onChange={(value) => onChange({ ...price, by: choiceOf(value, PRICED_BY) ?? "tokens" })}
        />
        {price.by !== "tokens" && (
          <TextInput
            label={t(`modelPrices.by.${price.by}`)}
            inputMode="decimal"
            leftSection="$"
            withAsterisk
            value={price.amount}
            onChange={(event) => onChange({ ...price, amount: event.currentTarget.value })}
          />
        )}
      </div>
      {price.by === "tokens" && <TokenFields price={price} onChange={onChange} />}
      {price.by === "tokens" && <TierFields price={price} onChange={onChange} />}
    </div>
  );
}
