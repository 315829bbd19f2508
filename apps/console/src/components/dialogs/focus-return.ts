import { useEffect } from "react";

/** What had the focus, or for an entry of a menu, which is gone by the end, the button that opened the menu; undefined while nothing has it. */
export function focusedControl(): HTMLElement | undefined {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const control = menu ? document.getElementById(menu) : focused;
  return control instanceof HTMLElement && control !== document.body ? control : undefined;
}

/** Where the focus goes when a dialog closes: back, or when the row that opened it is gone, to its list or the page. */
export function focusPlace(opener: HTMLElement | undefined): HTMLElement | null | undefined {
  if (opener?.isConnected === true) return opener;
  return document.querySelector<HTMLElement>("[data-rows]") ?? document.getElementById("page-title");
}

/** For what opens over the page and is taken away at once when it closes: gives the focus back itself, or to the page where its opener went with it. */
export function useFocusReturn(): void {
  useEffect(() => {
    const opener = focusedControl();
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) focusPlace(opener)?.focus({ preventScroll: true });
      });
    };
  }, []);
}
