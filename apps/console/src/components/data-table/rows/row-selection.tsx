import { Checkbox } from "@mantine/core";
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { RowSelection } from "../data-column.ts";
import classes from "./row-selection.module.css";

type RowId = number | string;

/** Functions that change the selection. They stay the same, so that no row is rendered again. */
interface SelectionSteps {
  choose(keys: readonly RowId[], isChosen: boolean): void;
  /** Chooses or leaves a row, and with `isRange` all rows from the last one that was chosen or left up to it. */
  chooseRow(key: RowId, isChosen: boolean, isRange: boolean): void;
}

interface ShownSelection extends SelectionSteps {
  readonly selected: ReadonlySet<RowId>;
}

const NO_SELECTION: ShownSelection = { selected: new Set(), choose() {}, chooseRow() {} };
const SelectionContext = createContext(NO_SELECTION);

export const useRowSelection = () => use(SelectionContext);

/** The keys from one to the other, in the order of the list; the other alone where the first is not in it. */
function rangeOf(keys: readonly RowId[], from: RowId | undefined, to: RowId): readonly RowId[] {
  const [first, last] = [keys.findIndex((key) => key === from), keys.indexOf(to)].toSorted((one, other) => one - other);
  return first === undefined || last === undefined || first < 0 ? [to] : keys.slice(first, last + 1);
}

/** Context of the chosen rows: a change renders the boxes only, not their rows. */
export function SelectionProvider({
  selection,
  keys: listed,
  children,
}: {
  selection: RowSelection | undefined;
  keys: readonly RowId[];
  children: ReactNode;
}) {
  const latest = useRef({ selection, listed });
  useEffect(() => {
    latest.current = { selection, listed };
  });
  const [steps] = useState((): SelectionSteps => {
    let last: RowId | undefined;
    const choose = (keys: readonly RowId[], isChosen: boolean) => {
      const next = new Set(latest.current.selection?.selected);
      for (const key of keys) {
        if (isChosen) next.add(key);
        else next.delete(key);
      }
      latest.current.selection?.onChange(next);
    };
    return {
      choose,
      chooseRow(key, isChosen, isRange) {
        choose(isRange ? rangeOf(latest.current.listed, last, key) : [key], isChosen);
        last = key;
      },
    };
  });
  const selected = selection?.selected;
  const shown = useMemo(() => (selected === undefined ? NO_SELECTION : { selected, ...steps }), [selected, steps]);
  return <SelectionContext value={shown}>{children}</SelectionContext>;
}

export function SelectAllBox({ keys }: { keys: readonly RowId[] }) {
  const { t } = useTranslation();
  const { selected, choose } = useRowSelection();
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
  const { selected, chooseRow } = useRowSelection();
  const isSelected = selected.has(rowId);
  const label = t("selectRow", { name });
  return useMemo(
    () => (
      <input
        // For the style of the row: with :has() each change of a page's fields would restyle all rows.
        ref={(box) => void box?.closest("tr")?.toggleAttribute("data-chosen", isSelected)}
        type="checkbox"
        className={classes.box}
        aria-label={label}
        checked={isSelected}
        onChange={({ currentTarget, nativeEvent }) =>
          chooseRow(rowId, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    ),
    [isSelected, label, rowId, chooseRow],
  );
}
