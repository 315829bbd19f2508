import { type Icon, IconExternalLink } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastInfo } from "../../lib/toasts/toasts.ts";
import { webAddress } from "../../lib/values/web-address.ts";
import { useMenuEntries } from "./menu-entries.ts";
import classes from "./menu.module.css";

/** Leads to the top-up link in a new tab; says so when none is set. */
function ShopLink({ label, icon: ShopIcon }: { label: string; icon: Icon }) {
  const { t } = useTranslation("shell");
  const href = webAddress(useStoredStatus().top_up_link);
  const content = (
    <>
      <ShopIcon size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
      {href !== undefined && <IconExternalLink className={classes.outside} size={14} aria-hidden="true" />}
    </>
  );
  if (href === undefined) {
    return (
      <button type="button" className={classes.entry} title={label} onClick={() => toastInfo(t("noTopUpLink"))}>
        {content}
      </button>
    );
  }
  return (
    <a
      className={classes.entry}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={`${label} (${t("newTab")})`}
    >
      {content}
    </a>
  );
}

export function Menu() {
  const { t } = useTranslation("shell");
  const entries = useMenuEntries();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // The own profile stands under the users' address, but is none of their pages.
  const isOwnProfile = pathname === "/user/edit";
  const isOfSettings = isOwnProfile || /^\/(?:management-keys|notifications)/.test(pathname);
  const parent = isOfSettings ? "/setting" : pathname === "/what-if" && "/pricing";
  return (
    <ul className={classes.menu}>
      {entries.map(({ name, path, icon: EntryIcon }) => {
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
                {...(path === parent && {
                  "data-status": "active",
                  "aria-current": "true",
                })}
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
