import type { ReactElement } from "react";
import { laterPart } from "../../lib/later-part.ts";

const LoadedTooltip = laterPart(() => import("./mantine-tooltip.ts"));

/** Says what a button without words does, when one points at it. It loads once the page stands. */
export function Tooltip({ label, children }: { label: string; children: ReactElement }) {
  return <LoadedTooltip timesWanted={0} instead={children} props={{ label, children }} />;
}
