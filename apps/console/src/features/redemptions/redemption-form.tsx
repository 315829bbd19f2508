import { Alert, NumberInput, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_DEFAULTS, REDEMPTION_LIMITS, REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { IconInfoCircle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { QuotaInput } from "../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { saveTextFile } from "../../lib/browser/save-text-file.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { QuotaPresets } from "../tokens/form/quota-presets.tsx";
import { WhatItBuys } from "../tokens/form/what-it-buys.tsx";
import { CodeAside, CodeFacts } from "./redemption-aside.tsx";
import { redemptionPayload, type RedemptionValues, useRedemptionProblems } from "./redemption-form-model.ts";
import { codeFile, useCreateRedemptions, useUpdateRedemption } from "./redemption-mutations.ts";

function useSave(redemption: Redemption | undefined): (values: RedemptionValues) => Promise<void> {
  const create = useCreateRedemptions();
  const update = useUpdateRedemption();
  return async (values) => {
    const { name, quota, count } = redemptionPayload(values);
    if (redemption !== undefined) {
      await update.mutateAsync({ id: redemption.id, name, quota });
      return;
    }
    const codes = await create.mutateAsync({ name, quota, count });
    saveTextFile(...codeFile({ name, codes }));
  };
}

interface RedemptionFieldsProps {
  form: UseFormReturnType<RedemptionValues>;
  isNew: boolean;
  /** Nothing of a code that was redeemed changes any more. */
  isUsed: boolean;
}

function RedemptionFields({ form, isNew, isUsed }: RedemptionFieldsProps) {
  const { t } = useTranslation("redemptions");
  return (
    <FormSection>
      <FormWide>
        <TextInput
          label={t("form.name")}
          description={t(isNew ? "form.nameHint" : "form.nameHintOfOne")}
          withAsterisk
          disabled={isUsed}
          maxLength={REDEMPTION_LIMITS.nameLength}
          {...form.getInputProps("name")}
        />
      </FormWide>
      <div>
        <QuotaInput
          label={t("form.quota")}
          description={t(isNew ? "form.quotaHint" : "form.quotaHintOfOne")}
          disabled={isUsed}
          {...form.getInputProps("quota")}
        />
        <QuotaPresets
          label={t("form.quotaPresets")}
          quota={form.values.quota}
          disabled={isUsed}
          onChoose={(quota) => form.setFieldValue("quota", quota)}
        />
      </div>
      {isNew && (
        <NumberInput
          label={t("form.count")}
          description={t("form.countHint")}
          allowDecimal={false}
          min={REDEMPTION_LIMITS.leastCount}
          max={REDEMPTION_LIMITS.count}
          {...form.getInputProps("count")}
        />
      )}
    </FormSection>
  );
}

/** What a press creates, as one sentence. */
function useOutcome(): (values: RedemptionValues) => string {
  const { t } = useTranslation("redemptions");
  const format = useFormatQuota();
  return ({ count, quota }) => {
    const [codes, each] = [Number(count), Number(quota)];
    return t("form.outcome", { count: codes, each: format(each), sum: format(codes * each) });
  };
}

export function RedemptionForm({ redemption }: { redemption?: Redemption }) {
  const { t } = useTranslation("redemptions");
  const navigate = useNavigate();
  const isNew = redemption === undefined;
  const isUsed = redemption?.status === REDEMPTION_STATUS.used;
  const { name, quota } = redemption ?? { name: "", quota: REDEMPTION_DEFAULTS.quota };
  const form = useForm<RedemptionValues>({
    initialValues: { name, quota, count: REDEMPTION_DEFAULTS.count },
    validateInputOnBlur: ["quota", "count"],
    validate: useRedemptionProblems(redemption),
  });
  const outcomeOf = useOutcome();
  const [count, each] = [Number(form.values.count), Number(form.values.quota)];
  const onSaved = () => {
    // The list shows new codes in a dialog.
    if (!isNew) toastSuccess(t("saved"));
    void navigate({ to: "/redemption" });
  };
  const notice = isUsed && (
    <Alert color="info" icon={<IconInfoCircle size={18} />} mb="md">
      {t("usedNotice")}
    </Alert>
  );
  return (
    <FormPage
      title={isNew ? t("addTitle") : t("editTitle")}
      {...(isNew ? { saveLabel: t("create", { count }), outcome: outcomeOf(form.values) } : {})}
      description={isNew ? t("description") : <CodeFacts redemption={redemption} />}
      subject={redemption?.name}
      aside={redemption === undefined ? <WhatItBuys quota={each} isForOthers /> : <CodeAside redemption={redemption} />}
      backPath="/redemption"
      backLabel={t("title")}
      form={form}
      save={useSave(redemption)}
      onSaved={onSaved}
      notice={notice}
    >
      <RedemptionFields form={form} isNew={isNew} isUsed={isUsed} />
    </FormPage>
  );
}
