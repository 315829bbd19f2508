import { LOG_TYPE } from "@one-api/contract/constants";
import type { AuditEntry } from "@one-api/contract/audit";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { userKey, USERS_KEY } from "../users/user-queries.ts";

const TOKENS_LOADED = 50;

export function tokensOfUserQuery(id: number) {
  return queryOptions({
    queryKey: [...userKey(id), "tokens"],
    queryFn: ({ signal }) =>
      callApiList("GET /api/user/:id/token", { params: { id }, query: { size: TOKENS_LOADED }, signal }),
    meta: { shownInPlace: true },
  });
}

export function requestsOfUserQuery(id: number, username: string) {
  return queryOptions({
    queryKey: [...userKey(id), "requests"],
    queryFn: ({ signal }) =>
      callApiList("GET /api/log/", { query: { username, type: LOG_TYPE.consumption, size: 10 }, signal }),
    meta: { shownInPlace: true },
  });
}

const TOP_UPS_LOADED = 10;

/** The newest additions to a user's balance, and how many there are. */
export function topUpsOfUserQuery(id: number, username: string) {
  return queryOptions({
    queryKey: [...userKey(id), "top-ups"],
    queryFn: ({ signal }) =>
      callApiList("GET /api/log/", { query: { username, type: LOG_TYPE.topUp, size: TOP_UPS_LOADED }, signal }),
    meta: { shownInPlace: true },
  });
}

const CHANGES_LOADED = 10;

/** Newest first, each once. */
function merge(...lists: (readonly AuditEntry[])[]): AuditEntry[] {
  const byId = new Map(lists.flat().map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((one, other) => other.id - one.id);
}

/** The newest audit entries by the user or about the user's account. */
export function auditOfUserQuery(id: number, username: string) {
  return queryOptions({
    queryKey: [...userKey(id), "audit"],
    queryFn: async ({ signal }) => {
      const [done, suffered] = await Promise.all(
        [{ actor: username }, { object: `user:${id}` }].map((filter) =>
          callApi("GET /api/audit/", { query: { ...filter, size: CHANGES_LOADED }, signal }),
        ),
      );
      return merge(done ?? [], suffered ?? []).slice(0, CHANGES_LOADED);
    },
    meta: { shownInPlace: true },
  });
}

interface AddBalance {
  quota: number;
  remark: string;
}

export function useAddBalance(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ quota, remark }: AddBalance) => callApi("POST /api/topup", { body: { user_id: id, quota, remark } }),
    meta: { shownInPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}
