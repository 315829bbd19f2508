import type { LogFilters } from "./log-search.ts";

/** A refusal and a provider's failure have texts of their own in each row. */
function hasOneText(result: NonNullable<LogFilters["result"]>[number]): boolean {
  return result !== "errors" && result !== "refused" && !result.startsWith("provider-");
}

/** Ids of the columns that the filters make the same in every row. */
export function sameColumns({ type, result, token_name, model_name, channel, username }: LogFilters): string[] {
  const columns = [
    type?.length === 1 && "type",
    result?.length === 1 && result.every(hasOneText) && "result",
    token_name?.length === 1 && "token",
    model_name?.length === 1 && "model",
    channel?.length === 1 && "channel",
    username?.length === 1 && "user",
  ];
  return columns.filter((id) => id !== false);
}
