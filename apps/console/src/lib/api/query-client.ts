import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { showError } from "./show-error.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { quiet?: boolean; shownInPlace?: boolean };
    mutationMeta: { quiet?: boolean; shownInPlace?: boolean };
  }
}

/** Display of a failure, if not by a toast alone. */
interface Telling {
  /** Not at all, or by the page in words of its own. */
  quiet?: boolean;
  /**
   * Shown by the form, or in place of a list. A toast is added only for errors of the catalogue and an outdated list.
   */
  shownInPlace?: boolean;
}

export const STATUS_KEY = ["status"] as const;

const MAX_NETWORK_RETRIES = 2;

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Too many requests, an internal error, a demonstration: texts of the error catalogue. */
const CATALOGUE_STATUSES: ReadonlySet<number> = new Set([405, 429, 500]);

/** A refusal's message is a toast wherever it stands besides [TEXT-01]. */
function isOfCatalogue(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.kind === "refused" || (error.kind === "http" && CATALOGUE_STATUSES.has(error.status));
}

/** No failure: the login goes on with its second step. */
function isSecondStep(error: unknown): boolean {
  return error instanceof ApiError && error.code === "second-factor-needed";
}

function show(error: unknown, { quiet = false, shownInPlace = false }: Telling): void {
  if (isSessionEnd(error)) return showError(error);
  if (quiet || isSecondStep(error)) return;
  if (shownInPlace && !isOfCatalogue(error)) return console.error(error);
  showError(error);
}

interface QueryTimes {
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

/** True from a query's failure until it next succeeds, also while it is being tried again. */
export function hasFailedLast(query: QueryTimes | undefined): boolean {
  return query !== undefined && query.errorUpdatedAt > query.dataUpdatedAt;
}

/** Clears the loaded data of a user; the public status stays. */
export function forgetServerState(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== STATUS_KEY[0] });
}

/** Returns the client of all server state. Errors are shown once: here, unless a call says that they are shown elsewhere. */
export function createQueryClient(): QueryClient {
  // The status shows whether the server is reachable; while it is not, the status polls.
  const checkServer = (error: unknown) => {
    if (!(error instanceof ApiError) || error.kind !== "network" || hasFailedLast(client.getQueryState(STATUS_KEY)))
      return;
    void client.refetchQueries({ queryKey: STATUS_KEY }, { cancelRefetch: false });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const { quiet = false, shownInPlace = false } = query.meta ?? {};
        show(error, { quiet, shownInPlace: shownInPlace && query.state.data === undefined });
        const isStatus = query.queryKey[0] === STATUS_KEY[0];
        // The status reports an unreachable server.
        if (error instanceof ApiError && error.kind === "network" && !isStatus)
          void client.invalidateQueries({ queryKey: STATUS_KEY });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        show(error, mutation.meta ?? {});
        checkServer(error);
      },
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

export const queryClient = createQueryClient();
