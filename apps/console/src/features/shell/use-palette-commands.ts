import {
  IconKey,
  IconLanguage,
  IconLogout,
  IconPlugConnected,
  IconSunMoon,
  IconUserEdit,
  type Icon,
} from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage } from "../../lib/i18n.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/session.ts";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { useLogOut } from "../login/api/use-log-out.ts";
import { menuEntries } from "./menu-entries.ts";
import { useCycleColorScheme } from "./use-cycle-color-scheme.ts";

interface PaletteCommand {
  id: string;
  label: string;
  icon: Icon;
  run(): void;
}

/** What the palette offers to the current user. */
export function usePaletteCommands(): PaletteCommand[] {
  const { t } = useTranslation("shell");
  const router = useRouter();
  const isAdmin = useIsAdmin();
  const user = useCurrentUser();
  const hasChat = useStoredStatus().chat_link !== "";
  const logOut = useLogOut();
  const { cycle } = useCycleColorScheme();
  const open = (path: string) => () => router.history.push(path);
  const pages = menuEntries({ isAdmin, hasChat }).flatMap(({ name, path, icon }) =>
    path === undefined ? [] : [{ id: name, label: t(`menu.${name}`), icon, run: open(path) }],
  );
  const language = currentLanguage() === "en" ? "zh-CN" : "en";
  const appearance: PaletteCommand[] = [
    { id: "scheme", label: t("palette.colorScheme"), icon: IconSunMoon, run: cycle },
    { id: "language", label: t("palette.language"), icon: IconLanguage, run: () => void chooseLanguage(language) },
  ];
  if (user === undefined) return [...pages, ...appearance];
  return [
    ...pages,
    { id: "add-token", label: t("palette.addToken"), icon: IconKey, run: open("/token/add") },
    ...(isAdmin
      ? [{ id: "add-channel", label: t("palette.addChannel"), icon: IconPlugConnected, run: open("/channel/add") }]
      : []),
    { id: "profile", label: t("editProfile"), icon: IconUserEdit, run: open("/user/edit") },
    ...appearance,
    { id: "logout", label: t("logout"), icon: IconLogout, run: () => logOut.mutate() },
  ];
}
