import type { MouseEvent } from "react";

/** Props of a row that opens when it is pressed anywhere but on something of its own. */
export function openRowProps<Row>(row: Row, onOpenRow: ((row: Row) => void) | undefined) {
  if (onOpenRow === undefined) return {};
  return {
    "data-opens": true,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target = event.target;
      const isOwnControl =
        target instanceof Element && target.closest("a, button, input, select, textarea, label") !== null;
      // Marking text in a row is no press.
      const isSelecting = (window.getSelection()?.toString() ?? "") !== "";
      if (!isOwnControl && !isSelecting && event.currentTarget.contains(target instanceof Node ? target : null))
        onOpenRow(row);
    },
  };
}
