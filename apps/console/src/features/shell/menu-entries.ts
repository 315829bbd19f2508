import {
  type Icon,
  IconActivity,
  IconChartBar,
  IconFlask,
  IconHistory,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessageCircle,
  IconPlugConnected,
  IconReceipt2,
  IconServer,
  IconSettings,
  IconShoppingBag,
  IconTicket,
  IconUsers,
  IconWallet,
} from "@tabler/icons-react";
import { useCurrentUser, useIsAdmin, useIsRoot } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";

const pages = [
  { name: "home", path: "/", icon: IconHome },
  { name: "chat", path: "/chat", icon: IconMessageCircle },
  { name: "dashboard", path: "/dashboard", icon: IconChartBar },
  { name: "channel", path: "/channel", icon: IconPlugConnected },
  { name: "token", path: "/token", icon: IconKey },
  { name: "playground", path: "/playground", icon: IconFlask },
  { name: "redemption", path: "/redemption", icon: IconTicket },
  { name: "topup", path: "/topup", icon: IconWallet },
  { name: "user", path: "/user", icon: IconUsers },
  { name: "log", path: "/log", icon: IconListDetails },
  { name: "audit", path: "/audit", icon: IconHistory },
  { name: "system", path: "/system", icon: IconServer },
  { name: "pricing", path: "/pricing", icon: IconReceipt2 },
  { name: "status", path: "/status", icon: IconActivity },
  { name: "setting", path: "/setting", icon: IconSettings },
  { name: "shop", path: undefined, icon: IconShoppingBag },
  { name: "about", path: "/about", icon: IconInfoCircle },
] as const satisfies readonly { name: string; path: string | undefined; icon: Icon }[];

/** One entry of the menu; without a path it is the shop, which leads outside. */
type MenuEntry = (typeof pages)[number];

export type MenuEntryName = MenuEntry["name"];

/** Pages that lead a visitor to the login. */
const accountEntries: ReadonlySet<string> = new Set(["dashboard", "token", "playground", "topup", "log", "setting"]);

const adminEntries: ReadonlySet<string> = new Set(["channel", "redemption", "user", "audit"]);

interface MenuConditions {
  isLoggedIn: boolean;
  isAdmin: boolean;
  isRoot: boolean;
  hasChat: boolean;
  hasPricing: boolean;
  hasStatus: boolean;
}

/**
 * The menu in its order: pages of an account after a login, more for administrators and root; Chat with a chat link; prices and status
 * page while they are on.
 */
export function menuEntries({
  isLoggedIn,
  isAdmin,
  isRoot,
  hasChat,
  hasPricing,
  hasStatus,
}: MenuConditions): readonly MenuEntry[] {
  return pages.filter(
    ({ name }) =>
      (isLoggedIn || !accountEntries.has(name)) &&
      (isAdmin || !adminEntries.has(name)) &&
      (isRoot || name !== "system") &&
      (hasChat || name !== "chat") &&
      (hasPricing || name !== "pricing") &&
      (hasStatus || name !== "status"),
  );
}

export function useMenuEntries(): readonly MenuEntry[] {
  const isLoggedIn = useCurrentUser() !== undefined;
  const isAdmin = useIsAdmin();
  const isRoot = useIsRoot();
  const { chat_link: chatLink, pricing_enabled: hasPricing, status_page_enabled: hasStatus } = useStoredStatus();
  return menuEntries({ isLoggedIn, isAdmin, isRoot, hasChat: chatLink !== "", hasPricing, hasStatus });
}
