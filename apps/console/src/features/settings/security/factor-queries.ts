import { getFactors } from "@one-api/contract/accounts/factor";
import { listSessions } from "@one-api/contract/accounts/session";
import { getAccessTokenState } from "@one-api/contract/accounts/user";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";

/** The own second factors. */
export const factorsQuery = queryOptions({
  queryKey: ["security", "factors"],
  queryFn: ({ signal }) => callApi(getFactors, { signal }),
  meta: { shownInPlace: true },
});

/** The own sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ["security", "sessions"],
  queryFn: ({ signal }) => callApi(listSessions, { signal }),
  meta: { shownInPlace: true },
});

/** Whether there is a system access token. */
export const accessTokenQuery = queryOptions({
  queryKey: ["security", "access-token"],
  queryFn: ({ signal }) => callApi(getAccessTokenState, { signal }),
  meta: { shownInPlace: true },
});
