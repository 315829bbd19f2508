import type { SessionUser } from "@one-api/contract/accounts/user";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { forgetServerState } from "./api/query-client.ts";
import { announceLogin, storeUser } from "./state/session.ts";

/** Returns a function that stores the user of a login and clears the loaded data of others. */
export function useKeepLogin(): (user: SessionUser) => void {
  const client = useQueryClient();
  return useCallback(
    (user) => {
      forgetServerState(client);
      storeUser(user);
      announceLogin();
    },
    [client],
  );
}
