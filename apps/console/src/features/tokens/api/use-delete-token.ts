import { deleteToken } from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { removeListRow } from "../../../lib/list-cache.ts";
import { TOKEN_LIST_KEY } from "./token-queries.ts";

/** Deletes a token; its row vanishes at once. */
export function useDeleteToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(deleteToken, { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, TOKEN_LIST_KEY, id),
  });
}
