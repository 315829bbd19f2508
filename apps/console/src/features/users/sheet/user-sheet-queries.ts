import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../../lib/api/api-client.ts";

export const TOKENS_SHOWN = 50;

export function tokensOfUserQuery(id: number) {
  return queryOptions({
    queryKey: ["users", "tokens", id],
    queryFn: ({ signal }) =>
      callApiList("GET /api/user/:id/token", { params: { id }, query: { size: TOKENS_SHOWN }, signal }),
    meta: { quiet: true },
  });
}

const MONTH_SECONDS = 30 * 24 * 3_600;

export function spentByUserQuery(username: string) {
  return queryOptions({
    queryKey: ["users", "spent", username],
    queryFn: ({ signal }) => {
      const start_timestamp = Math.floor(Date.now() / 1_000) - MONTH_SECONDS;
      return callApi("GET /api/log/stat", { query: { username, start_timestamp }, signal });
    },
    meta: { quiet: true },
  });
}
