import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";

export const factorsQuery = queryOptions({
  queryKey: ["security", "factors"],
  queryFn: ({ signal }) => callApi("GET /api/user/factors", { signal }),
  meta: { shownInPlace: true },
});

export const sessionsQuery = queryOptions({
  queryKey: ["security", "sessions"],
  queryFn: ({ signal }) => callApi("GET /api/user/sessions", { signal }),
  meta: { shownInPlace: true },
});

/** Whether there is a system access token. */
export const accessTokenQuery = queryOptions({
  queryKey: ["security", "access-token"],
  queryFn: ({ signal }) => callApi("GET /api/user/token/state", { signal }),
  meta: { shownInPlace: true },
});
