import { useRouter } from "@tanstack/react-router";
import { useConfirm } from "../confirm-context.ts";
import type { RowAction } from "./row-action.ts";

/** Returns what carries an action out: asks first where it must, then does it or leads to its page. */
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
