import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { showError } from "./show-error.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `quiet`: the page itself shows what went wrong, so there is no toast. */
    queryMeta: { quiet?: boolean };
    mutationMeta: { quiet?: boolean };
  }
}

/** Key of the public status. */
export const STATUS_KEY = ["status"] as const;

const MAX_NETWORK_RETRIES = 2;

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function show(error: unknown, quiet: boolean | undefined): void {
  if (quiet !== true || isSessionEnd(error)) showError(error);
}

/** Returns the client of all server state. Errors are shown once, here; pages add what they show inline. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        show(error, query.meta?.quiet);
        const isStatus = query.queryKey[0] === STATUS_KEY[0];
        // Whether the server is there at all is what the status tells.
        if (error instanceof ApiError && error.kind === "network" && !isStatus)
          void client.invalidateQueries({ queryKey: STATUS_KEY });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => show(error, mutation.meta?.quiet),
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        networkMode: "always",
        retry: (failures, error) =>
          error instanceof ApiError && error.kind === "network" && failures < MAX_NETWORK_RETRIES,
        retryDelay: (attempt) => 300 * 2 ** attempt,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}

/** The console's one client. */
export const queryClient = createQueryClient();
