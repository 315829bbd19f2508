import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** Loads what failed to load again once the server answers. */
export function useReloadAfterOutage(isServerGone: boolean): void {
  const client = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    if (wasGone.current && !isServerGone)
      void client.refetchQueries({ predicate: (query) => query.state.status === "error" });
    wasGone.current = isServerGone;
  }, [client, isServerGone]);
}
