import { Select, Stack } from "@mantine/core";
import { BUDGET_PERIODS } from "@one-api/contract/budget";
import type { GroupBudget } from "@one-api/contract/limits/group-budget";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../../../components/dialogs/form-dialog.tsx";
import { QuotaInput } from "../../../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { groupsQuery } from "../../../channels/channel-queries.ts";
import { useSetGroupBudget } from "./group-budget-queries.ts";

interface GroupBudgetDialogProps {
  /** Undefined for a new one. */
  saved: GroupBudget | undefined;
  /** Groups that have a budget. */
  taken: readonly string[];
  onClose(): void;
}

interface GroupFieldProps {
  group: string;
  taken: readonly string[];
  onChange(group: string): void;
}

function GroupField({ group, taken, onChange }: GroupFieldProps) {
  const { t } = useTranslation("budgets");
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <Select
      label={t("group.group")}
      data-autofocus
      data={groups.filter((name) => !taken.includes(name))}
      value={group === "" ? null : group}
      onChange={(chosen) => onChange(chosen ?? "")}
    />
  );
}

/** Sets the budget that all users of a group share. */
export default function GroupBudgetDialog({ saved, taken, onClose }: GroupBudgetDialogProps) {
  const { t } = useTranslation("budgets", "common");
  const [group, setGroup] = useState(saved?.group ?? "");
  const [period, setPeriod] = useState(saved?.budget.period ?? "monthly");
  const [quota, setQuota] = useState<number | string>(saved?.budget.quota ?? "");
  const save = useSetGroupBudget();
  const isWhole = typeof quota === "number" && Number.isSafeInteger(quota) && quota > 0;
  const isWrong = quota !== "" && !isWhole;
  const submit = () => {
    if (isWhole) save.mutate({ group, budget: { quota, period } }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      opened
      title={saved === undefined ? t("group.new") : t("group.edit", { group })}
      submitLabel={t("common:save")}
      isSaving={save.isPending}
      canSubmit={isWhole && group !== ""}
      error={save.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Stack gap="md">
        {saved === undefined && <GroupField group={group} taken={taken} onChange={setGroup} />}
        <Select
          label={t("group.period")}
          description={t("hint")}
          allowDeselect={false}
          data={BUDGET_PERIODS.map((name) => ({ value: name, label: t(name) }))}
          value={period}
          onChange={(chosen) => setPeriod(chosen ?? period)}
        />
        <QuotaInput
          label={t("amount")}
          description={t("amountHint")}
          error={isWrong && t("problem")}
          value={quota}
          onChange={setQuota}
        />
      </Stack>
    </FormDialog>
  );
}
