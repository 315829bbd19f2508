import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useConfirm } from "../../dialogs/confirm.tsx";
import type { Confirmation } from "../../dialogs/confirmation.ts";

export interface RowAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  onSelect?(): void;
  readonly path?: string | undefined;
  /** In the row the action is a link to its path, not a button. */
  readonly isLink?: boolean | undefined;
  readonly href?: string | undefined;
  /** Choices behind the action; with onSelect too, the action is the main choice and the list stands beside it. */
  readonly items?: readonly RowAction[] | undefined;
  readonly confirm?: Confirmation | undefined;
  readonly tone?: "danger" | undefined;
  readonly disabled?: boolean | undefined;
  readonly busy?: boolean | undefined;
  /** The first two `inline` ones (default) stand in the row, all others behind the three dots. On narrow screens all stand in one sheet. */
  readonly placement?: "inline" | "menu" | undefined;
}

/** Returns a function that runs an action, after a confirmation if required, or opens its page. */
export function useRunAction(): (action: RowAction) => void {
  const confirm = useConfirm();
  const router = useRouter();
  return (action) => {
    if (action.disabled === true || action.busy === true) return;
    const run = () => {
      if (action.path !== undefined) router.history.push(action.path);
      else if (action.href !== undefined) window.open(action.href, "_blank", "noopener");
      else action.onSelect?.();
    };
    if (action.confirm === undefined) return run();
    void confirm(action.confirm).then((confirmed) => {
      if (confirmed) run();
    });
  };
}
