import { useDebouncedValue } from "@mantine/hooks";
import { type Icon, IconKey, IconListDetails, IconPlugConnected, IconTicket, IconUser } from "@tabler/icons-react";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { callApi } from "../../../lib/api/api-client.ts";
import { formatTime } from "../../../lib/format.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { type ActionsOf, type FoundRow, foundUser } from "./found-row.tsx";
import { commandIcon, type PaletteGroup } from "./palette-commands.tsx";

const SEARCH_PAUSE_MS = 200;
const MAX_FOUND = 6;

/** Request id of every answer, anywhere in a pasted text: 26 hex digits. */
const REQUEST_ID = /(?<![0-9a-z])[0-9a-f]{26}(?![0-9a-z])/i;

interface Finder {
  readonly name: FoundRow["noun"];
  readonly isForAdmins: boolean;
  readonly icon: Icon;
  /** The path of the page that a row opens, up to its id. */
  readonly path: string;
  find(keyword: string, signal: AbortSignal): Promise<readonly FoundRow[]>;
}

const requestFinder = (isAdmin: boolean): Finder => ({
  name: "requests",
  isForAdmins: false,
  icon: IconListDetails,
  path: "/log?open=",
  find: async (keyword, signal) => {
    const params = { request_id: REQUEST_ID.exec(keyword)?.[0].toLowerCase() ?? "" };
    const entry = await callApi(
      isAdmin ? "GET /api/log/request/:request_id" : "GET /api/log/self/request/:request_id",
      { params, signal },
    );
    if (entry === null) return [];
    const { id, created_at, model_name } = entry;
    const label = [formatTime(created_at), model_name].filter((part) => part !== "").join(" · ");
    return [{ noun: "requests", id, label }];
  },
});

/** Searches on the server, in the order of display. */
const finders: readonly Finder[] = [
  {
    name: "channels",
    isForAdmins: true,
    icon: IconPlugConnected,
    path: "/channel/",
    find: async (keyword, signal) => {
      const rows = await callApi("GET /api/channel/search", { query: { keyword }, signal });
      return rows.map((row) => ({ noun: "channels", id: row.id, label: row.name, row }));
    },
  },
  {
    name: "tokens",
    isForAdmins: false,
    icon: IconKey,
    path: "/token/edit/",
    find: async (keyword, signal) => {
      const rows = await callApi("GET /api/token/search", { query: { keyword }, signal });
      return rows.map((row) => ({ noun: "tokens", id: row.id, label: row.name, row }));
    },
  },
  {
    name: "users",
    isForAdmins: true,
    icon: IconUser,
    path: "/user/",
    find: async (keyword, signal) =>
      (await callApi("GET /api/user/search", { query: { keyword }, signal })).map(foundUser),
  },
  {
    name: "redemptions",
    isForAdmins: true,
    icon: IconTicket,
    path: "/redemption/edit/",
    find: async (keyword, signal) => {
      const rows = await callApi("GET /api/redemption/search", { query: { keyword }, signal });
      return rows.map((row) => ({ noun: "redemptions", id: row.id, label: row.name, row }));
    },
  },
];

/** Search results of the server by kind; empty for an empty text. */
export function useFoundGroups(text: string, actionsOf: ActionsOf): { groups: PaletteGroup[]; isSearching: boolean } {
  const router = useRouter();
  const isAdmin = useIsAdmin();
  const isUser = useCurrentUser() !== undefined;
  const [keyword] = useDebouncedValue(text, SEARCH_PAUSE_MS);
  const known = REQUEST_ID.test(keyword) ? [requestFinder(isAdmin)] : finders;
  const asked = known.filter(({ isForAdmins }) => (isForAdmins ? isAdmin : isUser));
  const answers = useQueries({
    queries: asked.map(({ name, find }) => ({
      // Under the noun's own key, so that a change of its rows is seen here too.
      queryKey: [name, "palette", keyword],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(keyword, signal),
      enabled: keyword !== "",
      placeholderData: keepPreviousData,
      meta: { quiet: true },
    })),
  });
  if (text === "") return { groups: [], isSearching: false };
  const groups = asked.map(({ name, icon, path }, index) => ({
    name,
    commands: (answers[index]?.data ?? []).slice(0, MAX_FOUND).map((row) => ({
      id: `${name}-${row.id}`,
      label: row.label,
      hint: `#${row.id}`,
      icon: commandIcon(icon),
      actionsOf: actionsOf(row),
      run: () => router.history.push(`${path}${row.id}`),
    })),
  }));
  return { groups, isSearching: text !== keyword || answers.some(({ isFetching }) => isFetching) };
}
