/** What a column is sorted by; null and undefined come last in both directions. */
export type SortValue = string | number | boolean | null | undefined;

const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compare(left: SortValue, right: SortValue): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return byText.compare(String(left), String(right));
}

/** Returns the rows sorted by a value; rows of equal value keep their order. */
export function sortRows<Row>(rows: readonly Row[], valueOf: (row: Row) => SortValue, descending: boolean): Row[] {
  return rows.toSorted((left, right) => {
    const leftValue = valueOf(left) ?? null;
    const rightValue = valueOf(right) ?? null;
    if (leftValue === null || rightValue === null) return Number(leftValue === null) - Number(rightValue === null);
    return compare(leftValue, rightValue) * (descending ? -1 : 1);
  });
}
