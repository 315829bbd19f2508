import { splitList } from "@one-api/contract/fields";
import {
  createToken,
  deleteToken,
  endOldTokenKey,
  rollTokenKey,
  sendTokenAlert,
  type CreatedToken,
  type CreateTokenInput,
  type TOKEN_STATUS,
  type Token,
  type UpdateTokenInput,
  updateToken,
} from "@one-api/contract/token";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { createExternalStore } from "../../lib/state/external-store.ts";
import { patchListRow, removeListRow, replaceListRow } from "../../lib/list/list-cache.ts";
import { TOKENS_KEY, TOKEN_LIST_KEY } from "./token-queries.ts";

/** What was created last, until its dialog is closed. It stays in memory: keys belong into no address and no storage. */
export const createdTokens = createExternalStore<CreatedTokens | undefined>(undefined);

interface CreatedTokens {
  readonly tokens: readonly CreatedToken[];
  /** Names of the models that they may call; empty for all. */
  readonly models: readonly string[];
  /** Of a token that was there before: until when its older key goes on, in Unix seconds; 0 where that has ended. */
  readonly oldKeyEndsAt?: number;
}

/** Creates a token, or a batch. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateTokenInput) => callApi(createToken, { body: input }),
    meta: { shownInPlace: true },
    onSuccess: ({ created, ...first }) => {
      // Older servers answer the first token of a batch alone, or none.
      const tokens = created.length > 0 ? created : [first].filter(({ key }) => key !== "");
      createdTokens.set(tokens.length === 0 ? undefined : { tokens, models: splitList(first.models) });
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
}

/** Saves the form of a stored token; its row shows what the server answers. */
export function useUpdateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateTokenInput) => callApi(updateToken, { body: input }),
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
      callApi(updateToken, { query: { status_only: "true" }, body: { id, status } }),
    onSuccess: (_token, { id, status }) => patchListRow<Token>(client, TOKEN_LIST_KEY, id, { status }),
  });
}

interface RollKey {
  id: number;
  overlapSeconds: number;
}

/** Gives a token a new key, which is shown as those of new tokens are. */
export function useRollTokenKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, overlapSeconds }: RollKey) =>
      callApi(rollTokenKey, { params: { id }, body: { overlap_seconds: overlapSeconds } }),
    meta: { shownInPlace: true },
    onSuccess: (token) => {
      replaceListRow(client, TOKEN_LIST_KEY, token);
      void client.invalidateQueries({ queryKey: TOKENS_KEY });
      const { old_key_ends_at: oldKeyEndsAt, models } = token;
      createdTokens.set({ tokens: [token], models: splitList(models), oldKeyEndsAt });
    },
  });
}

/** Ends a token's older key at once. */
export function useEndOldTokenKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(endOldTokenKey, { params: { id } }),
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
    mutationFn: (id: number) => callApi(deleteToken, { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, TOKEN_LIST_KEY, id),
  });
}

/** The mails that can be sent about a token. */
export type TokenAlert = "balance" | "expired";

interface SendAlert {
  id: number;
  alertType: TokenAlert;
}

/** Sends the balance or the expiry mail of a token now. */
export function useSendTokenAlert() {
  return useMutation({ mutationFn: (query: SendAlert) => callApi(sendTokenAlert, { query }) });
}
