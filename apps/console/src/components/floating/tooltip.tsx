import { type ReactElement, Suspense } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { useIsIdle } from "../../lib/when-idle.ts";

const MantineTooltip = lazyPart(() => import("./mantine-tooltip.ts"));

/** Says what a button without words does, when one points at it. It loads once the page stands. */
export function Tooltip({ label, children }: { label: string; children: ReactElement }) {
  if (!useIsIdle()) return children;
  return (
    <Suspense fallback={children}>
      <MantineTooltip label={label}>{children}</MantineTooltip>
    </Suspense>
  );
}
