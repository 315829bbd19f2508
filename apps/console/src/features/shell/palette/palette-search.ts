import { useDebouncedValue } from "@mantine/hooks";
import {
  type Icon,
  IconChartBar,
  IconCircleCheck,
  IconCircleOff,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlugConnected,
  IconTicket,
  IconUser,
} from "@tabler/icons-react";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { callApi } from "../../../lib/api/api-client.ts";
import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { foundChannel, type FoundRow, foundToken, foundUser } from "./found-row.ts";
import type { PaletteCommand, PaletteGroup } from "./palette-commands.ts";
import { useSwitchRow } from "./use-switch-row.ts";

const SEARCH_PAUSE_MS = 200;
const MAX_FOUND = 6;

/** Request id of every answer, anywhere in a pasted text: 26 hex digits. */
const REQUEST_ID = /(?<![0-9a-z])[0-9a-f]{26}(?![0-9a-z])/i;

interface Finder {
  readonly name: PaletteGroup["name"];
  readonly isForAdmins: boolean;
  readonly icon: Icon;
  /** The path of the form that a row opens in, up to its id. */
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
    return [{ id, label: [formatTime(created_at), model_name].filter((part) => part !== "").join(" · "), pages: [] }];
  },
});

/** Searches on the server, in the order of display. */
const finders: readonly Finder[] = [
  {
    name: "channels",
    isForAdmins: true,
    icon: IconPlugConnected,
    path: "/channel/edit/",
    find: async (keyword, signal) =>
      (await callApi("GET /api/channel/search", { query: { keyword }, signal })).map(foundChannel),
  },
  {
    name: "tokens",
    isForAdmins: false,
    icon: IconKey,
    path: "/token/edit/",
    find: async (keyword, signal) =>
      (await callApi("GET /api/token/search", { query: { keyword }, signal })).map(foundToken),
  },
  {
    name: "users",
    isForAdmins: true,
    icon: IconUser,
    path: "/user/edit/",
    find: async (keyword, signal) =>
      (await callApi("GET /api/user/search", { query: { keyword }, signal })).map(foundUser),
  },
  {
    name: "redemptions",
    isForAdmins: true,
    icon: IconTicket,
    path: "/redemption/edit/",
    find: async (keyword, signal) => {
      const codes = await callApi("GET /api/redemption/search", { query: { keyword }, signal });
      return codes.map(({ id, name }) => ({ id, label: name, pages: [] }));
    },
  },
];

const PAGE_ICONS = { page: IconInfoCircle, logs: IconListDetails, usage: IconChartBar } as const;

/** Returns the actions on a found row, the form at first; none for a row that only opens. */
function useActionsOn() {
  const { t } = useTranslation("palette", "common");
  const router = useRouter();
  const switchOf = useSwitchRow();
  return ({ pages, switchable }: FoundRow, formPath: string): PaletteCommand[] => {
    if (pages.length === 0) return [];
    const open = (path: string) => () => router.history.push(path);
    const change = switchOf(switchable);
    return [
      { id: "edit", label: t("common:edit"), icon: IconPencil, run: open(formPath) },
      ...pages.map(({ name, path }) => ({
        id: name,
        label: t(`show.${name}`),
        icon: PAGE_ICONS[name],
        run: open(path),
      })),
      ...(change === undefined
        ? []
        : [
            {
              id: "switch",
              label: change.isOn ? t("common:disable") : t("common:enable"),
              icon: change.isOn ? IconCircleOff : IconCircleCheck,
              run: change.run,
            },
          ]),
    ];
  };
}

/** Search results of the server by kind; empty for an empty text. */
export function useFoundGroups(text: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const router = useRouter();
  const isAdmin = useIsAdmin();
  const isUser = useCurrentUser() !== undefined;
  const actionsOn = useActionsOn();
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
      icon,
      actions: actionsOn(row, `${path}${row.id}`),
      run: () => router.history.push(`${path}${row.id}`),
    })),
  }));
  return { groups, isSearching: text !== keyword || answers.some(({ isFetching }) => isFetching) };
}
