import { LOG_TYPE } from "@one-api/contract/constants";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { DASHBOARD_KEY, REFRESH_MS } from "../dashboard-queries.ts";

const FOLLOWING = { staleTime: REFRESH_MS / 2, refetchInterval: REFRESH_MS, meta: { quiet: true } } as const;

/** Loads the usage of each interval with its times, which cost the server more than sums. */
export function useIntervalTimes(scope: Scope, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const { user = 0, channel = 0, token: token_name = "", model: model_name = "" } = scope;
  const asked = { edges: edges.join(","), metric: "first_byte", rows: 0, model_name, token_name } as const;
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "times", { isAdmin, asked, user, channel }],
    queryFn: async ({ signal }) => {
      const { parts } = isAdmin
        ? await callApi("GET /api/dashboard/", { query: { ...asked, user, channel }, signal })
        : await callApi("GET /api/dashboard/self", { query: asked, signal });
      return parts;
    },
    enabled: edges.length > 1,
    ...FOLLOWING,
  });
}

/** Counts the requests of each interval that did not end well, by result. */
export function useErrorCounts(
  { user, channel = 0, token, model }: Scope,
  username: string | undefined,
  edges: readonly number[],
) {
  const isAdmin = useIsAdmin();
  const scope = { token_name: token ?? "", model_name: model ?? "" };
  const query = { ...scope, edges: edges.join(","), type: LOG_TYPE.consumption, result: "errors" } as const;
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "errors", { isAdmin, query, username, channel }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/log/histogram", { query: { ...query, username: username ?? "", channel }, signal })
        : callApi("GET /api/log/self/histogram", { query, signal }),
    // The log is filtered by the user's name.
    enabled: user === undefined || username !== undefined,
    ...FOLLOWING,
  });
}

/** Loads the times to the first token by hour of the week, in the viewer's zone. */
export function useHoursOfWeek(scope: Scope, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const { user = 0, channel = 0, token: token_name = "", model: model_name = "" } = scope;
  const [start = 0, end = 0] = [edges[0], edges.at(-1)];
  const asked = { start, end, utc_offset: -new Date(end * 1_000).getTimezoneOffset(), model_name, token_name };
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "hours", { isAdmin, asked, user, channel }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/dashboard/hours", { query: { ...asked, user, channel }, signal })
        : callApi("GET /api/dashboard/self/hours", { query: asked, signal }),
    staleTime: REFRESH_MS * 5,
    meta: { shownInPlace: true },
  });
}
