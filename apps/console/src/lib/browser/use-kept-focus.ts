import { useEffect } from "react";

/** Gives the focus back to a button that lost it by being disabled while it worked, unless it has gone elsewhere meanwhile. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const remember = () => {
      last = document.activeElement;
    };
    const observer = new MutationObserver((changes) => {
      const isBack = changes.some(({ target }) => target === last && !last.hasAttribute("disabled"));
      if (isBack && document.activeElement === document.body && last instanceof HTMLElement)
        last.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", remember);
    observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["disabled"] });
    return () => {
      document.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
}
