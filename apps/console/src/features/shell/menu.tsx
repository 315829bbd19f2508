import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useIsAdmin } from "../../lib/session.ts";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { menuEntries } from "./menu-entries.ts";
import classes from "./menu.module.css";
import { ShopLink } from "./shop-link.tsx";

/** The entries of the sidebar. */
export function Menu() {
  const { t } = useTranslation("shell");
  const isAdmin = useIsAdmin();
  // The own profile stands under the users' address, but is none of their pages.
  const isOwnProfile = useRouterState({ select: (state) => state.location.pathname === "/user/edit" });
  const hasChat = useStoredStatus().chat_link !== "";
  return (
    <ul className={classes.menu}>
      {menuEntries({ isAdmin, hasChat }).map(({ name, path, icon: EntryIcon }) => {
        const label = t(`menu.${name}`);
        return (
          <li key={name}>
            {path === undefined ? (
              <ShopLink label={label} icon={EntryIcon} />
            ) : (
              <Link
                to={path}
                className={classes.entry}
                activeOptions={{ exact: path === "/" || (path === "/user" && isOwnProfile), includeSearch: false }}
                title={label}
              >
                <EntryIcon size={18} stroke={1.6} aria-hidden="true" />
                <span className={classes.label}>{label}</span>
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
