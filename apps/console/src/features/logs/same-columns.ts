import type { LogFilters } from "./log-search.ts";

/** A refusal and a provider's failure have texts of their own in each row. */
function hasOneText(result: NonNullable<LogFilters["result"]>): boolean {
  return result !== "errors" && result !== "refused" && !result.startsWith("provider-");
}

/** Ids of the columns that the filters make the same in every row. */
export function sameColumns({ type, result, token_name, model_name, channel, username }: LogFilters): string[] {
  const columns = [
    type !== undefined && "type",
    result !== undefined && hasOneText(result) && "result",
    token_name !== undefined && "token",
    model_name !== undefined && "model",
    channel !== undefined && "channel",
    username !== undefined && "user",
  ];
  return columns.filter((id) => id !== false);
}
