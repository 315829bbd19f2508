import { useLayoutEffect } from "react";

/** Returns the focused control, or the opening button of a menu, whose entries vanish; undefined without a focus. */
export function focusedControl(): HTMLElement | undefined {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const control = menu ? document.getElementById(menu) : focused;
  return control instanceof HTMLElement && control !== document.body ? control : undefined;
}

/** Returns the next focus after a dialog: its opener, or if that row is gone, the list or the page. */
export function focusPlace(opener: HTMLElement | undefined): HTMLElement | null | undefined {
  if (opener?.isConnected === true) return opener;
  return document.querySelector<HTMLElement>("[data-rows]") ?? document.getElementById("page-title");
}

/** Returns the focus when an overlay without an exit animation closes: to its opener, or to the page. */
export function useFocusReturn(): void {
  // Before the dialog takes the focus.
  useLayoutEffect(() => {
    const opener = focusedControl();
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) focusPlace(opener)?.focus({ preventScroll: true });
      });
    };
  }, []);
}
