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

const MAX_NETWORK_RETRIES = 2;

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function show(error: unknown, quiet: boolean | undefined): void {
  if (quiet !== true || isSessionEnd(error)) showError(error);
}

/** Returns the client of all server state. Errors are shown once, here; pages add what they show inline. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => show(error, query.meta?.quiet) }),
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
}

/** The console's one client. */
export const queryClient = createQueryClient();
