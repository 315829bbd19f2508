import { Button } from "@mantine/core";
import type { GroupBudget } from "@one-api/contract/limits/group-budget";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Card } from "../../../../components/boxes/card.tsx";
import { ErrorAlert } from "../../../../components/boxes/error-alert.tsx";
import { NoLines } from "../../../../components/boxes/line-list.tsx";
import { BudgetText } from "../../../../components/budget-text.tsx";
import { CardsView } from "../../../../components/data-table/cards-view.tsx";
import type { DataColumn } from "../../../../components/data-table/data-column.ts";
import { TableView } from "../../../../components/data-table/table-view.tsx";
import { useConfirm } from "../../../../components/dialogs/confirm.tsx";
import { useCardScreen } from "../../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../../lib/loading/later-part.ts";
import { useGroupBudgets, useSetGroupBudget } from "./group-budget-queries.ts";

const GroupBudgetDialog = lazyPart(() => import("./group-budget-dialog.tsx"), ["refusals"]);

type EditedBudget = GroupBudget | "new" | undefined;

function useColumns(): DataColumn<GroupBudget>[] {
  const { t } = useTranslation("budgets");
  return [
    { id: "group", header: t("group.group"), card: "title", cell: ({ group }) => group },
    { id: "budget", header: t("group.left"), cell: ({ budget }) => <BudgetText budget={budget} /> },
  ];
}

/** Asks whether to remove a budget, and removes it. */
function useRemove(onFailed: (error: Error) => void) {
  const { t } = useTranslation("budgets", "common");
  const confirm = useConfirm();
  const set = useSetGroupBudget();
  return async ({ group }: GroupBudget) => {
    const [title, message] = [t("group.remove", { group }), t("group.removeText")];
    if (await confirm({ title, message, confirmLabel: t("group.submitRemove") }))
      set.mutate({ group, budget: null }, { onError: onFailed });
  };
}

interface BudgetTableProps {
  rows: readonly GroupBudget[];
  onEdit(row: GroupBudget): void;
  onRemove(row: GroupBudget): void;
}

function BudgetTable({ rows, onEdit, onRemove }: BudgetTableProps) {
  const { t } = useTranslation("budgets", "common");
  const View = useCardScreen() ? CardsView : TableView;
  const columns = useColumns();
  const actionsOf = (row: GroupBudget) => {
    const pencil = <IconPencil size={16} />;
    const bin = <IconTrash size={16} />;
    return [
      { id: "edit", label: t("common:edit"), icon: pencil, onSelect: () => onEdit(row) },
      { id: "remove", label: t("group.submitRemove"), icon: bin, onSelect: () => onRemove(row) },
    ];
  };
  return (
    <View
      label={t("group.title")}
      rows={rows}
      columns={columns}
      rowKey={({ group }) => group}
      rowName={({ group }) => group}
      rowActions={actionsOf}
    />
  );
}

/** Budgets that all users of a group share. Each is saved by itself. */
export default function GroupBudgets() {
  const { t } = useTranslation("budgets");
  const { data, error } = useGroupBudgets();
  const rows = data ?? [];
  const [edited, setEdited] = useState<EditedBudget>();
  const [failure, setFailure] = useState<Error>();
  const remove = useRemove(setFailure);
  return (
    <Card
      title={t("group.title")}
      description={t("group.hint")}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEdited("new")}>
          {t("group.new")}
        </Button>
      }
    >
      {rows.length === 0 && data !== undefined ? (
        <NoLines>{t("group.empty")}</NoLines>
      ) : (
        <BudgetTable rows={rows} onEdit={setEdited} onRemove={(row) => void remove(row)} />
      )}
      <ErrorAlert error={failure ?? error} mt="xs" />
      {edited !== undefined && (
        <GroupBudgetDialog
          saved={edited === "new" ? undefined : edited}
          taken={rows.map(({ group }) => group)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}
