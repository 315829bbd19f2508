import { type Token, type TOKEN_STATUS, updateToken } from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { TOKEN_LIST_KEY } from "./token-queries.ts";

interface SetStatus {
  id: number;
  status: typeof TOKEN_STATUS.enabled | typeof TOKEN_STATUS.disabled;
}

/** Enables or disables a token; its row shows what the server answers. */
export function useSetTokenStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: SetStatus) =>
      callApi(updateToken, { query: { status_only: "true" }, body: { id, status } }),
    onSuccess: ({ status }, { id }) => patchListRow<Token>(client, TOKEN_LIST_KEY, id, { status }),
  });
}
