import type { DashboardRow } from "@one-api/contract/usage/dashboard";
import type { LogFilters } from "../../logs/log-search.ts";
import { type DashboardKey, type DashboardSearch, keysFor } from "../dashboard-search.ts";

export type Scope = Pick<DashboardSearch, DashboardKey>;

export type LogFilter = Pick<LogFilters, "username" | "model_name" | "alias" | "channel" | "token_name">;

/** Keys that an opened row is broken down by, the most telling first. */
const NEXT_KEYS: Readonly<Record<DashboardKey, readonly DashboardKey[]>> = {
  model: ["user", "token", "channel"],
  user: ["model", "token", "channel"],
  channel: ["model", "user", "token"],
  token: ["model", "channel"],
  alias: ["model", "user", "token", "channel"],
};

/** The key in the address; the first one is left out. */
export const byOf = (key: DashboardKey): Pick<DashboardSearch, "by"> => ({ by: key === "model" ? undefined : key });

/** The scope of one row; undefined for requests without a model, channel, token or alias, and for tokens without a name. */
function scopeOf(by: DashboardKey, { key, name, owner }: DashboardRow): Scope | undefined {
  if (by === "channel" || by === "user") return Number(key) > 0 ? { [by]: Number(key) } : undefined;
  if (name === "") return undefined;
  if (by === "model" || by === "alias") return { [by]: name };
  return owner === "" ? { token: name } : { user: Number(key.split("/", 1)[0]), token: name };
}

export interface Opening {
  readonly key: DashboardKey;
  readonly next: DashboardKey;
  readonly search: DashboardSearch;
}

/** Returns the opening of a row; undefined where no key is left to break it down by. */
export function openingOf(
  row: DashboardRow,
  by: DashboardKey,
  search: DashboardSearch,
  isAdmin: boolean,
): Opening | undefined {
  const scope = search[by] === undefined ? scopeOf(by, row) : undefined;
  const { keys } = keysFor({ ...search, ...scope }, isAdmin);
  const next = NEXT_KEYS[by].find((key) => keys.includes(key));
  return scope && next && { key: by, next, search: { ...scope, ...byOf(next) } };
}

/** Filters of the log for the scope; a user is filtered by name, once it is known. */
export function logFilterOf({ model, channel, token, alias }: Scope, username: string | undefined): LogFilter {
  return {
    ...(username !== undefined && { username: [username] }),
    ...(model !== undefined && { model_name: [model] }),
    ...(channel !== undefined && { channel: [channel] }),
    ...(token !== undefined && { token_name: [token] }),
    ...(alias !== undefined && { alias: [alias] }),
  };
}
