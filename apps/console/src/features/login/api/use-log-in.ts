import { login, type LoginInput } from "@one-api/contract/user";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { forgetServerState } from "../../../lib/query-client.ts";
import { storeUser } from "../../../lib/session.ts";

/** Logs in and keeps the user; what was loaded for somebody else is forgotten. */
export function useLogIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: LoginInput) => callApi(login, { body: input }),
    onSuccess: (user) => {
      forgetServerState(client);
      storeUser(user);
    },
  });
}
