import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useCardScreen } from "../../lib/use-narrow-screen.ts";
import { CardsView } from "./cards-view.tsx";
import { ListError } from "./list-error.tsx";
import classes from "./data-table.module.css";
import type { RowsView } from "./data-column.ts";
import { TableView } from "./table-view.tsx";

const ROWS = 6;

/** Grey bars in the shape of rows; none of them, in the same height, with 0 columns. */
function SkeletonRows({ columns }: { columns: number }) {
  const { t } = useTranslation();
  const bars = Math.min(columns, 6);
  return (
    <div className={classes.rows} role="status" aria-label={t("loading", { prompt: t("loadingPage") })}>
      {Array.from({ length: ROWS }, (_row, row) => (
        <div key={row} className={classes.row}>
          {Array.from({ length: bars }, (_bar, bar) => (
            <span key={bar} className={classes.bar} data-size={(row * 5 + bar * 3) % 4} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface DataTableProps<Row> extends Omit<RowsView<Row>, "placeholder"> {
  /** Nothing was loaded yet; rows of grey bars appear after 150 ms. */
  isPending?: boolean;
  error?: Error | null;
  onRetry?: () => void;
  /** Shown when there are no rows: an EmptyState. */
  empty: ReactNode;
}

function placeholderOf<Row>(props: DataTableProps<Row>, showSkeleton: boolean): ReactNode {
  if (props.isPending === true)
    return showSkeleton ? <SkeletonRows columns={props.columns.length} /> : <SkeletonRows columns={0} />;
  if (props.rows.length > 0) return undefined;
  if (props.error)
    return <ListError error={props.error} {...(props.onRetry === undefined ? {} : { onRetry: props.onRetry })} />;
  return props.empty;
}

/** Rows as a table, or as cards at 640 px and less; with every state in between: loading, error, nothing. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const asCards = useCardScreen();
  const showSkeleton = useDelayed(props.isPending === true);
  const View = asCards ? CardsView : TableView;
  return <View {...props} placeholder={placeholderOf(props, showSkeleton)} />;
}
