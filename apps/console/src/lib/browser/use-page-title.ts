import { useEffect } from "react";
import { useStoredStatus } from "../state/stored-status.ts";

/** Names the browser's tab: the page, then the system. */
export function usePageTitle(title: string): void {
  const systemName = useStoredStatus().system_name;
  useEffect(() => {
    document.title = title === "" ? systemName : `${title} · ${systemName}`;
  }, [title, systemName]);
}
