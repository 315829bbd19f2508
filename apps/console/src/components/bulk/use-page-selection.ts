import { useState } from "react";

type Keys = ReadonlySet<number | string>;

/** Which rows of the page that is shown are chosen. Who turns the page or narrows the list down chooses anew: nobody changes what is out of sight. */
export function usePageSelection<Row extends { readonly id: number }>(rows: readonly Row[]) {
  const [keys, setKeys] = useState<Keys>(new Set());
  const chosen = rows.filter(({ id }) => keys.has(id));
  const selected: Keys = new Set(chosen.map(({ id }) => id));
  return { rows: chosen, selection: { selected, onChange: setKeys }, clear: () => setKeys(new Set()) };
}
