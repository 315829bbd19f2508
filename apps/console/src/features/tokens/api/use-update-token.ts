import { type Token, updateToken, type UpdateTokenInput } from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { TOKEN_LIST_KEY, TOKENS_KEY } from "./token-queries.ts";

/** Saves the form of a stored token; its row shows what the server answers. */
export function useUpdateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateTokenInput) => callApi(updateToken, { body: input }),
    onSuccess: (token) => {
      patchListRow<Token>(client, TOKEN_LIST_KEY, token.id, token);
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}
