import { type ReactElement, useState } from "react";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { PopoverContent } from "./loaded-popover.tsx";

interface TargetProps {
  onClick(): void;
  "aria-haspopup": "dialog";
  "aria-expanded": boolean;
}

interface PopoverButtonProps extends PopoverContent {
  renderButton(props: TargetProps): ReactElement;
}

const LoadedPopover = laterPart(() => import("./loaded-popover.tsx"));

/**
 * A button that opens a small box beside it. The box loads after the page; an early press opens it once it is loaded.
 */
export function PopoverButton({ renderButton, ...content }: PopoverButtonProps) {
  const [opened, setOpened] = useState(false);
  const target = renderButton({
    onClick: () => setOpened(!opened),
    "aria-haspopup": "dialog",
    "aria-expanded": opened,
  });
  return (
    <LoadedPopover
      timesWanted={opened ? 1 : 0}
      instead={target}
      props={{ ...content, opened, onChange: setOpened, target }}
    />
  );
}
