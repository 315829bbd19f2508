import { login, type LoginInput } from "@one-api/contract/user";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { storeUser } from "../../../lib/session.ts";

/** Logs in and keeps the user; what was loaded for somebody else is forgotten. */
export function useLogIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: LoginInput) => callApi(login, { body: input }),
    onSuccess: (user) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== "status" });
      storeUser(user);
    },
  });
}
