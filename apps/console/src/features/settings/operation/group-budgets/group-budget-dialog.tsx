import { Select, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { BUDGET_PERIODS } from "@one-api/contract/budget";
import { type GroupBudget, setGroupBudget } from "@one-api/contract/limits/group-budget";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { FormDialog } from "../../../../components/dialogs/form-dialog.tsx";
import { QuotaInput } from "../../../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useValidateForm } from "../../../../lib/validate-form.ts";
import { typedNumber } from "../../../../lib/values/typed-number.ts";
import { groupsQuery } from "../../../channels/channel-queries.ts";
import { useSetGroupBudget } from "./group-budget-queries.ts";

interface GroupBudgetDialogProps {
  /** Undefined for a new one. */
  saved: GroupBudget | undefined;
  /** Groups that have a budget. */
  taken: readonly string[];
  onClose(): void;
}

function GroupField({ taken, ...field }: ComponentProps<typeof Select> & { taken: readonly string[] }) {
  const { t } = useTranslation("budgets");
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <Select
      label={t("group.group")}
      withAsterisk
      data-autofocus
      data={groups.filter((name) => !taken.includes(name))}
      {...field}
    />
  );
}

function useGroupBudgetForm(saved: GroupBudget | undefined) {
  const { t } = useTranslation("budgets");
  const validate = useValidateForm();
  return useForm({
    initialValues: {
      /** Null until one is chosen. */
      group: saved?.group ?? null,
      period: saved?.budget.period ?? "monthly",
      budget_quota: saved?.budget.quota ?? "",
    },
    transformValues: ({ group, period, budget_quota: quota }) => ({
      group: group ?? "",
      budget: { period, quota: typedNumber(quota) },
    }),
    validate: ({ group, period, budget_quota: quota }) =>
      validate(
        setGroupBudget.body,
        { group: group ?? "", budget: { period, quota: typedNumber(quota) } },
        { group: t("group.problem"), budget_quota: t("problem") },
      ),
  });
}

/** Sets the budget that all users of a group share. */
export default function GroupBudgetDialog({ saved, taken, onClose }: GroupBudgetDialogProps) {
  const { t } = useTranslation("budgets", "common");
  const form = useGroupBudgetForm(saved);
  const save = useSetGroupBudget();
  return (
    <FormDialog
      opened
      title={saved === undefined ? t("group.new") : t("group.edit", { group: saved.group })}
      submitLabel={t("common:save")}
      isSaving={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: onClose }))}
    >
      <Stack gap="md">
        {saved === undefined && <GroupField taken={taken} {...form.getInputProps("group")} />}
        <Select
          label={t("group.period")}
          description={t("hint")}
          allowDeselect={false}
          data={BUDGET_PERIODS.map((name) => ({ value: name, label: t(name) }))}
          {...form.getInputProps("period")}
        />
        <QuotaInput
          label={t("amount")}
          description={t("amountHint")}
          withAsterisk
          {...form.getInputProps("budget_quota")}
        />
      </Stack>
    </FormDialog>
  );
}
