import { createToken, type CreateTokenInput } from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { TOKENS_KEY } from "./token-queries.ts";

/** Creates a token, or a batch. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateTokenInput) => callApi(createToken, { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: TOKENS_KEY }),
  });
}
