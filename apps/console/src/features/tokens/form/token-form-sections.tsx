import { NumberInput, Switch, TextInput } from "@mantine/core";
import { FURTHER_LIMITS } from "@one-api/contract/limits/limit-constants";
import { TOKEN_LIMITS } from "@one-api/contract/token-constants";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { BudgetFields } from "../../../components/form/quota/budget-fields.tsx";
import { FoldedSection, FoldedSections, FormWide } from "../../../components/form/form-section.tsx";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { LimitFields } from "../../../components/form/limit-fields.tsx";
import { ChoiceListInput, FreeListInput } from "../../../components/form/list-inputs.tsx";
import { useUnpricedModels } from "../../pricing/unpriced-models.ts";
import { availableModelsQuery, ownGroupsQuery } from "../token-queries.ts";
import { hasOwn, type TokenFormState } from "./token-form-model.ts";
import classes from "./token-form-sections.module.css";

function batchHint(form: TokenFormState): { name: string; count: number } | undefined {
  const { name, batch_number: count } = form.values;
  return typeof count === "number" && count > 1 ? { name: name.trim(), count } : undefined;
}

export function NameField({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  return (
    <TextInput
      label={t("form.name")}
      description={t("form.nameHint")}
      withAsterisk
      maxLength={TOKEN_LIMITS.nameLength}
      {...form.getInputProps("name")}
    />
  );
}

function BatchSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const batch = batchHint(form);
  return (
    <FoldedSection title={t("form.batch")} summary="1" opensItself={hasOwn(form, "batch_number")}>
      <NumberInput
        label={t("form.batch")}
        description={batch === undefined ? t("form.batchHint") : t("form.batchNames", batch)}
        allowDecimal={false}
        min={TOKEN_LIMITS.leastBatch}
        max={TOKEN_LIMITS.batch}
        {...form.getInputProps("batch_number")}
      />
    </FoldedSection>
  );
}

function BudgetSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("budgets");
  return (
    <FoldedSection
      title={t("title")}
      summary={t("noneSet")}
      opensItself={hasOwn(form, "budget_period", "budget_quota")}
    >
      <BudgetFields period={form.getInputProps("budget_period")} quota={form.getInputProps("budget_quota")} />
    </FoldedSection>
  );
}

const LIMITS = ["rpm_limit", "dpm_limit", "tpm_limit"] as const;

function LimitsSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  return (
    <FoldedSection
      title={t("form.limits")}
      description={t("form.limitsHint")}
      summary={t("form.summaries.limits")}
      opensItself={hasOwn(form, ...LIMITS, ...FURTHER_LIMITS)}
    >
      {LIMITS.map((limit) => (
        <NumberInput
          key={limit}
          label={t(`form.${limit}`)}
          description={t(`form.${limit}_hint`)}
          thousandSeparator=","
          allowDecimal={false}
          allowNegative={false}
          max={TOKEN_LIMITS.perMinute}
          {...form.getInputProps(limit)}
        />
      ))}
      <LimitFields fields={FURTHER_LIMITS} inputOf={(field) => form.getInputProps(field)} />
    </FoldedSection>
  );
}

/** Groups in the order in which they are tried, each with the factor of its prices. Hidden from members of one group. */
function GroupsInput({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const own = useQuery(ownGroupsQuery).data ?? [];
  const { group: chosen } = form.values;
  if (own.length < 2 && chosen.length === 0) return null;
  const left = chosen.filter((name) => own.every(({ group }) => group !== name));
  const choices = [
    ...own.map(({ group, ratio }) => ({ value: group, label: t("form.groupWithRatio", { group, ratio }) })),
    ...left.map((group) => ({ value: group, label: t("form.groupLeft", { group }) })),
  ];
  return (
    <FormWide>
      <ChoiceListInput
        label={t("form.group")}
        description={t("form.groupHint")}
        placeholder={chosen.length === 0 ? t("form.groupPlaceholder") : ""}
        data={choices}
        {...form.getInputProps("group")}
      />
    </FormWide>
  );
}

function AccessSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const available = useQuery(availableModelsQuery);
  const { models, subnet } = form.values;
  const callable = models.length === 0 ? (available.data ?? []) : models;
  const all = useUnpricedModels();
  const unpriced = callable.filter((model) => all.has(model));
  return (
    <FoldedSection
      title={t("form.access")}
      description={t("form.accessHint")}
      summary={t("form.summaries.access")}
      opensItself={hasOwn(form, "models", "group", "subnet") || unpriced.length > 0}
    >
      <FormWide>
        <FreeListInput
          label={t("form.models")}
          description={t("form.modelsHint")}
          placeholder={models.length === 0 ? t("form.modelsPlaceholder") : ""}
          data={available.data ?? []}
          {...form.getInputProps("models")}
        />
        {unpriced.length > 0 && (
          <p className={classes.unpriced}>
            {t("form.unpriced", { count: unpriced.length, models: unpriced.join(", ") })}
          </p>
        )}
      </FormWide>
      <GroupsInput form={form} />
      <FormWide>
        <FreeListInput
          label={t("form.subnet")}
          description={t("form.subnetHint")}
          placeholder={subnet.length === 0 ? t("form.subnetPlaceholder") : ""}
          {...form.getInputProps("subnet")}
        />
      </FormWide>
    </FoldedSection>
  );
}

function NoticeSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const { keep_bodies: mayKeepBodies } = useStoredStatus();
  return (
    <FoldedSection
      title={t("form.notices")}
      summary={t("form.summaries.notices")}
      opensItself={hasOwn(form, "email", "custom_contact", "moderations_enable", "keep_bodies")}
    >
      <TextInput
        label={t("form.email")}
        description={t("form.emailHint")}
        type="email"
        autoComplete="email"
        maxLength={TOKEN_LIMITS.contactLength}
        {...form.getInputProps("email")}
      />
      <TextInput
        label={t("form.contact")}
        description={t("form.contactHint")}
        maxLength={TOKEN_LIMITS.contactLength}
        {...form.getInputProps("custom_contact")}
      />
      <FormWide>
        <Switch
          label={t("form.moderation")}
          description={t("form.moderationHint")}
          {...form.getInputProps("moderations_enable", { type: "checkbox" })}
        />
      </FormWide>
      {(mayKeepBodies || form.getValues().keep_bodies) && (
        <FormWide>
          <Switch
            label={t("form.keepBodies")}
            description={t("form.keepBodiesHint")}
            {...form.getInputProps("keep_bodies", { type: "checkbox" })}
          />
        </FormWide>
      )}
    </FoldedSection>
  );
}

export function AdvancedSections({ form, isNew }: { form: TokenFormState; isNew: boolean }) {
  return (
    <FoldedSections>
      <BudgetSection form={form} />
      <LimitsSection form={form} />
      <AccessSection form={form} />
      <NoticeSection form={form} />
      {isNew && <BatchSection form={form} />}
    </FoldedSections>
  );
}
