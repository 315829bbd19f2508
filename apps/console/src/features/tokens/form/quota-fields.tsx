import { NumberInput, Switch } from "@mantine/core";
import { TOKEN_LIMITS } from "@one-api/contract/token-constants";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { QuotaInput, useDollars } from "../../../components/form/quota/quota-input.tsx";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { selfQuery } from "../../profile/self-queries.ts";
import { QuotaPresets } from "./quota-presets.tsx";
import classes from "./quota-fields.module.css";
import type { TokenFormState } from "./token-form-model.ts";

function RechargeField({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const dollars = useDollars();
  const { remain_quota: remaining, recharge_quota: added, unlimited_quota: isUnlimited } = form.values;
  const isShowingSum = typeof added === "number" && added > 0 && typeof remaining === "number" && !isUnlimited;
  return (
    <NumberInput
      label={t("form.recharge")}
      description={
        isShowingSum
          ? t("form.rechargeSum", { sum: dollars(remaining + Math.round(added * quotaPerUnit)) })
          : t("form.rechargeHint")
      }
      prefix="$"
      placeholder="$0"
      thousandSeparator=","
      decimalScale={2}
      allowNegative={false}
      max={TOKEN_LIMITS.rechargeDollars}
      hideControls
      disabled={isUnlimited}
      {...form.getInputProps("recharge_quota")}
    />
  );
}

export function QuotaFields({ form, isNew }: { form: TokenFormState; isNew: boolean }) {
  const { t } = useTranslation("tokens");
  // A hint beside the field: without it the form is whole.
  const own = useQuery({ ...selfQuery, meta: { quiet: true } });
  const format = useFormatQuota();
  const { remain_quota: quota, unlimited_quota: isUnlimited } = form.values;
  return (
    <div className={classes.fields}>
      <div>
        <QuotaInput
          label={isNew ? t("form.quota") : t("form.remaining")}
          description={
            own.data === undefined ? t("form.quotaHint") : t("form.ownQuota", { quota: format(own.data.quota) })
          }
          disabled={isUnlimited}
          {...form.getInputProps("remain_quota")}
        />
        <QuotaPresets
          label={t("form.quotaPresets")}
          quota={quota}
          disabled={isUnlimited}
          onChoose={(chosen) => form.setFieldValue("remain_quota", chosen)}
          // As the specification writes them.
          write={(dollars) => `${dollars}$`}
        />
      </div>
      <Switch
        label={t("form.unlimited")}
        description={t("form.unlimitedHint")}
        {...form.getInputProps("unlimited_quota", { type: "checkbox" })}
      />
      {!isNew && <RechargeField form={form} />}
    </div>
  );
}
