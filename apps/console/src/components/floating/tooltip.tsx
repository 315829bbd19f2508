import type { ReactElement } from "react";
import { laterPart } from "../../lib/later-part.ts";

const loaded = laterPart(() => import("./mantine-tooltip.ts"));

/** Says what a button without words does, when one points at it. It loads once the page stands. */
export function Tooltip({ label, children }: { label: string; children: ReactElement }) {
  const LoadedTooltip = loaded.use(0);
  return LoadedTooltip === undefined ? children : <LoadedTooltip label={label}>{children}</LoadedTooltip>;
}
