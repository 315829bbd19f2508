import { splitList } from "@one-api/contract/texts";
import type { CreatedToken, CreateTokenInput, Token, UpdateTokenInput } from "@one-api/contract/token";
import type { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { createExternalStore } from "../../lib/state/external-store.ts";
import { patchListRow, removeListRow, replaceListRow } from "../../lib/list/list-cache.ts";
import { TOKENS_KEY, TOKEN_LIST_KEY } from "./token-queries.ts";

/** Last created tokens until their dialog is closed. In memory only: keys belong into no address and no storage. */
export const createdTokens = createExternalStore<CreatedTokens | undefined>(undefined);

export interface CreatedTokens {
  readonly tokens: readonly CreatedToken[];
  /** Names of the models that they may call; empty for all. */
  readonly models: readonly string[];
  /** Of a token that was there before: until when its older key goes on, in Unix seconds; 0 where that has ended. */
  readonly oldKeyEndsAt?: number;
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateTokenInput) => callApi("POST /api/token/", { body: input }),
    meta: { shownInPlace: true },
    onSuccess: ({ created, models }) => {
      createdTokens.set({ tokens: created, models: splitList(models) });
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}

/** Saves the form of a stored token; its row shows what the server answers. */
export function useUpdateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateTokenInput) => callApi("PUT /api/token/", { body: input }),
    meta: { shownInPlace: true },
    onSuccess: (token) => {
      replaceListRow(client, TOKEN_LIST_KEY, token);
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}

interface SetStatus {
  id: number;
  status: typeof TOKEN_STATUS.enabled | typeof TOKEN_STATUS.disabled;
}

/** Enables or disables a token; its row shows what the server answers. */
export function useSetTokenStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: SetStatus) =>
      callApi("PUT /api/token/", { query: { status_only: "true" }, body: { id, status } }),
    onSuccess: (_token, { id, status }) => patchListRow<Token>(client, TOKEN_LIST_KEY, id, { status }),
  });
}

interface RollKey {
  id: number;
  overlapSeconds: number;
}

/** A token with its new key, to be shown as new tokens are. */
export function rolledToken(token: Token): CreatedTokens {
  return { tokens: [token], models: splitList(token.models), oldKeyEndsAt: token.old_key_ends_at };
}

/** Gives a token a new key. */
export function useRollTokenKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, overlapSeconds }: RollKey) =>
      callApi("POST /api/token/:id/key", { params: { id }, body: { overlap_seconds: overlapSeconds } }),
    meta: { shownInPlace: true },
    onSuccess: (token) => {
      replaceListRow(client, TOKEN_LIST_KEY, token);
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}

export function useEndOldTokenKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/token/:id/old-key", { params: { id } }),
    onSuccess: (token) => {
      replaceListRow(client, TOKEN_LIST_KEY, token);
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}

/** Deletes a token; its row vanishes at once. */
export function useDeleteToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/token/:id/", { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, TOKEN_LIST_KEY, id),
  });
}

export type TokenAlert = "balance" | "expired";

interface SendAlert {
  id: number;
  alertType: TokenAlert;
}

/** Sends the balance or the expiry mail of a token now. */
export function useSendTokenAlert() {
  return useMutation({ mutationFn: (query: SendAlert) => callApi("POST /api/token/alert", { query }) });
}
