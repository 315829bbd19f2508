import { type NumberInputProps, Select } from "@mantine/core";
import { BUDGET_PERIODS } from "@one-api/contract/budget";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { QuotaInput } from "./quota-input.tsx";

interface BudgetFieldsProps {
  /** The field of the period, as the form gives it: empty for no budget. */
  period: { value?: string; onChange?: (period: string) => void };
  quota: NumberInputProps;
}

export function BudgetFields({ period, quota }: BudgetFieldsProps) {
  const { t } = useTranslation("budgets");
  return (
    <>
      <Select
        label={t("title")}
        description={t("hint")}
        data={[{ value: "", label: t("none") }, ...BUDGET_PERIODS.map((name) => ({ value: name, label: t(name) }))]}
        value={period.value ?? ""}
        onChange={(chosen) => period.onChange?.(chosen ?? "")}
      />
      <QuotaInput label={t("amount")} description={t("amountHint")} disabled={(period.value ?? "") === ""} {...quota} />
    </>
  );
}
