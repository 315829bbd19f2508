import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Inviter of a code. Refused if the code is used, expired or unknown. */
export function invitationQuery(code: string) {
  return queryOptions({
    queryKey: ["invitation", code],
    queryFn: ({ signal }) => callApi("GET /api/user/invitation", { query: { code }, signal }),
    retry: false,
    meta: { quiet: true },
  });
}
