import { useEffect } from "react";

/** Shows the logo as the icon of the browser's tab. */
export function usePageIcon(logo: string): void {
  useEffect(() => {
    document.querySelector<HTMLLinkElement>("#page-icon")?.setAttribute("href", logo);
  }, [logo]);
}
