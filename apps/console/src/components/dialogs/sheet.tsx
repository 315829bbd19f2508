import { useLayoutEffect, useRef, useState } from "react";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { focusedControl, focusPlace } from "./focus-return.ts";
import type { SheetProps } from "./sheet-panel.tsx";

const SheetPanel = lazyPart(() => import("./sheet-panel.tsx"));
const SidePanel = lazyPart(() => import("./side-panel.tsx"));

interface PlacedSheetProps extends SheetProps {
  isBeside?: boolean;
}

export function Sheet({ isBeside = false, ...props }: PlacedSheetProps) {
  const [wasOpened, setWasOpened] = useState(props.opened);
  const opener = useRef<HTMLElement>(undefined);
  // Noted here: the first time the panel comes only later, open from its beginning.
  useLayoutEffect(() => {
    if (props.opened) opener.current = focusedControl();
  }, [props.opened]);
  if (props.opened && !wasOpened) setWasOpened(true);
  const Panel = isBeside ? SidePanel : SheetPanel;
  return (
    wasOpened && <Panel {...props} onFocusLeft={() => focusPlace(opener.current)?.focus({ preventScroll: true })} />
  );
}
