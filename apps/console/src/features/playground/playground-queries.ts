import type { Token } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { useCurrentUser } from "../../lib/state/session.ts";

/** A token as the playground knows it: its key is asked for with each call and is not among what the page keeps. */
export type TokenChoice = Pick<Token, "id" | "name" | "status">;

const withoutKey = ({ id, name, status }: Token): TokenChoice => ({ id, name, status });

export const PLAYGROUND_TOKENS_KEY = ["playground", "tokens"];

/** Tokens that are offered at once; typing finds the others. */
const TOKENS_OFFERED = 20;

/** Own tokens that can be used, those first whose name begins with the keyword. */
export function tokenChoicesQuery(userId: number | undefined, keyword = "") {
  return queryOptions({
    queryKey: [...PLAYGROUND_TOKENS_KEY, userId, keyword],
    queryFn: async ({ signal }) => {
      const query = { keyword, status: TOKEN_STATUS.enabled, size: TOKENS_OFFERED, p: 0 };
      return (await callApi("GET /api/token/search", { query, signal })).map(withoutKey);
    },
    meta: { shownInPlace: true },
  });
}

export const useTokenChoices = (keyword: string) =>
  useQuery({ ...tokenChoicesQuery(useCurrentUser()?.id, keyword), placeholderData: keepPreviousData });

export function chosenTokenQuery(userId: number | undefined, id: number | undefined) {
  return queryOptions({
    queryKey: ["playground", "token", userId, id],
    queryFn: async ({ signal }) => withoutKey(await callApi("GET /api/token/:id", { params: { id: id ?? 0 }, signal })),
    retry: false,
    // The models of a token that is not there are not either, and say so.
    meta: { quiet: true },
  });
}

export const useChosenToken = (id: number | undefined) =>
  useQuery({ ...chosenTokenQuery(useCurrentUser()?.id, id), enabled: id !== undefined });

export function chatModelsQuery(userId: number | undefined, tokenId: number | undefined) {
  return queryOptions({
    queryKey: ["playground", "models", userId, tokenId],
    queryFn: ({ signal }) => callApi("GET /api/playground/models", { query: { token: tokenId ?? 0 }, signal }),
    meta: { shownInPlace: true },
  });
}

export const useChatModels = (tokenId: number | undefined) =>
  useQuery({ ...chatModelsQuery(useCurrentUser()?.id, tokenId), enabled: tokenId !== undefined });

/** The entry of a stopped request comes a moment after it; it is asked for so often, a second apart. */
const MOST_TRIES = 5;
const BETWEEN_TRIES_MS = 1_000;

/** The log entry of an answer's request, once it has ended; null where the gateway keeps none. */
export function useRequestEntry(requestId: string, hasEnded: boolean) {
  const user = useCurrentUser();
  return useQuery({
    queryKey: ["playground", "request", user?.id, requestId],
    queryFn: ({ signal }) =>
      callApi("GET /api/log/self/request/:request_id", { params: { request_id: requestId }, signal }),
    enabled: hasEnded && requestId !== "",
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data === null && state.dataUpdateCount < MOST_TRIES && BETWEEN_TRIES_MS,
    meta: { quiet: true },
  });
}
