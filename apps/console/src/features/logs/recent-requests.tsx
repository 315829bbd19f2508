import type { Log } from "@one-api/contract/logs/log";
import { CardsView } from "../../components/data-table/cards-view.tsx";
import { TableView } from "../../components/data-table/table-view.tsx";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useLogColumns } from "./log-columns.tsx";

interface RecentRequestsProps {
  label: string;
  logs: readonly Log[];
  /** Columns of the log that are left out, because they are equal in every row or do not fit. */
  without: ReadonlySet<string>;
  onOpen(id: number): void;
}

export function RecentRequests({ label, logs, without, onOpen }: RecentRequestsProps) {
  const columns = useLogColumns(onOpen).filter((column) => !without.has(column.id));
  const View = useCardScreen() ? CardsView : TableView;
  return (
    <View
      label={label}
      rows={logs}
      columns={columns}
      rowKey={(log) => log.id}
      rowName={(log) => log.model_name}
      onOpenRow={(log) => onOpen(log.id)}
    />
  );
}
