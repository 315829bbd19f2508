import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** Leads the focus to the title of each new page, so that a screen reader says where it is; fields that took it keep it. */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    return router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
      if (!pathChanged || fromLocation === undefined) return;
      const main = document.getElementById("main");
      const active = document.activeElement;
      if (active instanceof HTMLInputElement && main?.contains(active) === true) return;
      const title = document.getElementById("page-title") ?? main;
      title?.focus({ preventScroll: true });
    });
  }, [router]);
}
