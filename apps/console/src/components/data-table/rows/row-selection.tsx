import { Checkbox } from "@mantine/core";
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { RowSelection } from "../data-column.ts";
import classes from "./row-selection.module.css";

type RowId = number | string;

interface ShownSelection {
  readonly selected: ReadonlySet<RowId>;
  /** Chooses or leaves rows; the same function for as long as the list stands, so that no row is rendered for it. */
  choose(keys: readonly RowId[], isChosen: boolean): void;
}

const NO_SELECTION: ShownSelection = { selected: new Set(), choose() {} };
const SelectionContext = createContext(NO_SELECTION);

/** Context of the chosen rows: a change renders the boxes only, not their rows. */
export function SelectionProvider({
  selection,
  children,
}: {
  selection: RowSelection | undefined;
  children: ReactNode;
}) {
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  const [choose] = useState(() => (keys: readonly RowId[], isChosen: boolean) => {
    const next = new Set(latest.current?.selected);
    for (const key of keys) {
      if (isChosen) next.add(key);
      else next.delete(key);
    }
    latest.current?.onChange(next);
  });
  const selected = selection?.selected;
  const shown = useMemo(() => (selected === undefined ? NO_SELECTION : { selected, choose }), [selected, choose]);
  return <SelectionContext value={shown}>{children}</SelectionContext>;
}

export function SelectAllBox({ keys }: { keys: readonly RowId[] }) {
  const { t } = useTranslation();
  const { selected, choose } = use(SelectionContext);
  const count = keys.filter((key) => selected.has(key)).length;
  const all = keys.length > 0 && count === keys.length;
  return (
    <Checkbox
      size="xs"
      aria-label={t("selectAll")}
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={() => choose(keys, !all)}
    />
  );
}

export function SelectRowBox({ rowId, name }: { rowId: RowId; name: string }) {
  const { t } = useTranslation();
  const { selected, choose } = use(SelectionContext);
  const isSelected = selected.has(rowId);
  const label = t("selectRow", { name });
  return useMemo(
    () => (
      <input
        type="checkbox"
        className={classes.box}
        aria-label={label}
        checked={isSelected}
        onChange={(event) => choose([rowId], event.currentTarget.checked)}
      />
    ),
    [isSelected, label, rowId, choose],
  );
}
