import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useMenuEntries } from "../shell/menu-entries.ts";
import { nearPaths } from "./near-pages.ts";
import classes from "./page-suggestions.module.css";

const MOST = 3;

/** Pages of the menu whose address resembles the wrong one; without any, the first of the menu after the home page. */
export default function PageSuggestions() {
  const { t } = useTranslation("palette", "shell");
  const { pathname } = useLocation();
  const pages = useMenuEntries().flatMap(({ name, path, icon }) =>
    path === undefined || path === "/" ? [] : [{ name, path, icon }],
  );
  const near = nearPaths(
    pathname,
    pages.map(({ path }) => path),
  );
  const shown = near.length === 0 ? pages : near.flatMap((path) => pages.filter((page) => page.path === path));
  const title = t(near.length === 0 ? "suggestions.others" : "suggestions.meant");
  return (
    <nav className={classes.suggestions} aria-label={title}>
      <span className={classes.title}>{title}</span>
      {shown.slice(0, MOST).map(({ name, path, icon: Icon }) => (
        <Link key={name} to={path} className={classes.page}>
          <Icon size={16} stroke={1.6} aria-hidden="true" />
          {t(`shell:menu.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
