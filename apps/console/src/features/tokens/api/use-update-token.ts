import { updateToken, type UpdateTokenInput } from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { TOKENS_KEY } from "./token-queries.ts";

/** Saves the form of a stored token. */
export function useUpdateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateTokenInput) => callApi(updateToken, { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: TOKENS_KEY }),
  });
}
