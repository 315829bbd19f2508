import type { SelfInput } from "@one-api/contract/accounts/user";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { currentUser, storeUser } from "../../lib/state/session.ts";

/** Changes the own user; the name that the browser keeps changes with it. */
export function useUpdateSelf() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SelfInput) => callApi("PUT /api/user/self", { body: input }),
    meta: { shownInPlace: true },
    onSuccess: (_data, input) => {
      const user = currentUser();
      if (user !== undefined)
        storeUser({
          ...user,
          username: input.username || user.username,
          display_name: input.display_name || user.display_name,
        });
      void client.invalidateQueries({ queryKey: ["users"] });
    },
  });
}
