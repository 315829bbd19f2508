import {
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessageCircle,
  IconPlugConnected,
  IconSettings,
  IconShoppingBag,
  IconTicket,
  IconUsers,
  IconWallet,
  type Icon,
} from "@tabler/icons-react";

const pages = [
  { name: "home", path: "/", icon: IconHome },
  { name: "chat", path: "/chat", icon: IconMessageCircle },
  { name: "channel", path: "/channel", icon: IconPlugConnected },
  { name: "token", path: "/token", icon: IconKey },
  { name: "redemption", path: "/redemption", icon: IconTicket },
  { name: "topup", path: "/topup", icon: IconWallet },
  { name: "user", path: "/user", icon: IconUsers },
  { name: "log", path: "/log", icon: IconListDetails },
  { name: "setting", path: "/setting", icon: IconSettings },
  { name: "shop", path: undefined, icon: IconShoppingBag },
  { name: "about", path: "/about", icon: IconInfoCircle },
] as const satisfies readonly { name: string; path: string | undefined; icon: Icon }[];

/** One entry of the menu; without a path it is the shop, which leads outside. */
type MenuEntry = (typeof pages)[number];

const adminEntries: ReadonlySet<string> = new Set(["channel", "redemption", "user"]);

/** The menu in its order: administrators see more, and Chat is there only with a chat link. */
export function menuEntries({ isAdmin, hasChat }: { isAdmin: boolean; hasChat: boolean }): readonly MenuEntry[] {
  return pages.filter(({ name }) => (isAdmin || !adminEntries.has(name)) && (hasChat || name !== "chat"));
}
