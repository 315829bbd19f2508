import { ActionIcon, Button } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { SafeContent } from "../../components/content/safe-content.tsx";
import { showInter } from "../../fonts/show-inter.ts";
import { loadErrorTexts } from "../../lib/api/error-text.ts";
import { laterPart, lazyPart } from "../../lib/loading/later-part.ts";
import { useLostSession } from "../../lib/state/session.ts";
import { withBasePath } from "../../lib/base-path.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { startIdleLoading, whenIdle } from "../../lib/loading/when-idle.ts";
import { usePublicStatus } from "./status-queries.ts";
import { AppearanceButtons } from "./appearance-buttons.tsx";
import { Brand } from "./brand.tsx";
import classes from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";

/** Shows the logo as the icon of the browser's tab. */
function usePageIcon(logo: string): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("#page-icon");
    // Setting it to what it is would load it again.
    if (icon?.getAttribute("href") !== logo) icon?.setAttribute("href", logo);
  }, [logo]);
}

/** Reloads failed data once the server answers again. */
function useReloadAfterOutage(isServerGone: boolean): void {
  const client = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    if (wasGone.current && !isServerGone)
      void client.refetchQueries({ predicate: (query) => query.state.status === "error" });
    wasGone.current = isServerGone;
  }, [client, isServerGone]);
}

/** Time in which a page that loads data first shows its title, and the pause between two looks for it, in ms. */
const TITLE_WAIT_MS = 3_000;
const TITLE_PAUSE_MS = 50;

/** Focuses the title of the page, and the one that replaces it. Ends when something else has the focus. Returns its end. */
function focusTitle(main: HTMLElement | null): () => void {
  const untilMs = performance.now() + TITLE_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const focus = () => {
    const title = document.getElementById("page-title") ?? main;
    if (document.activeElement !== title) title?.focus({ preventScroll: true });
    timer = setTimeout(() => {
      const active = document.activeElement;
      const isFree = active === document.body || active === main || active?.id === "page-title";
      if (isFree && performance.now() < untilMs) focus();
    }, TITLE_PAUSE_MS);
  };
  focus();
  return () => clearTimeout(timer);
}

/**
 * Focuses the title of each new page, so that screen readers announce it. Keeps a focus that a field took, or that Tab
 * moved while loading.
 */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let hasTabbed = false;
    let endFocus = () => {};
    const noteTab = ({ key }: KeyboardEvent) => {
      if (key === "Tab") hasTabbed = true;
    };
    document.addEventListener("keydown", noteTab);
    const leaveStart = router.subscribe("onBeforeNavigate", () => {
      hasTabbed = false;
      endFocus();
    });
    const leaveEnd = router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
      if (!pathChanged || fromLocation === undefined) return;
      const main = document.getElementById("main");
      const active = document.activeElement;
      if (active instanceof HTMLInputElement && main?.contains(active) === true) return;
      if (hasTabbed && active !== document.body) return;
      endFocus = focusTitle(main);
    });
    return () => {
      endFocus();
      document.removeEventListener("keydown", noteTab);
      leaveStart();
      leaveEnd();
    };
  }, [router]);
}

/** Follows the public status, alone: the shell is not rendered again with each answer. */
function Connection() {
  const { t } = useTranslation("shell", "common");
  const { isServerGone, isFetching, refetch } = usePublicStatus();
  usePageIcon(withBasePath(useStoredStatus().logo));
  useReloadAfterOutage(isServerGone);
  if (!isServerGone) return null;
  return (
    <div className={classes.banner} role="alert">
      <div className={classes.text}>
        <strong className={classes.message}>{t("shell:cannotConnect")}</strong>
        <span>{t("shell:cannotConnectHint")}</span>
      </div>
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        {t("common:retry")}
      </Button>
    </div>
  );
}

/** The footer that administrators set, sanitised; without one, name and version of the system. */
function CustomFooter() {
  const { footer_html: html, system_name: systemName, version } = useStoredStatus();
  return (
    <footer className={classes.footer}>
      {html === "" ? (
        <span>
          {systemName} {version}
        </span>
      ) : (
        <SafeContent content={html} format="html" />
      )}
    </footer>
  );
}

const SessionDialog = lazyPart(() => import("../login/session-dialog.tsx"));

/** The login over a page whose session has ended with something to lose. */
function SessionGate() {
  const lost = useLostSession();
  return lost !== undefined && <SessionDialog user={lost.user} />;
}

// Needed when the network is gone.
whenIdle(loadErrorTexts);

function useInterFromNextPage(): void {
  const router = useRouter();
  useEffect(() => router.subscribe("onLoad", ({ pathChanged }) => pathChanged && showInter()), [router]);
}

function useIdleLoading(): void {
  const router = useRouter();
  const client = useQueryClient();
  useEffect(() => {
    const start = () => startIdleLoading(() => client.isFetching() > 0);
    if (router.state.status === "idle" && router.state.resolvedLocation !== undefined) return start();
    return router.subscribe("onRendered", start);
  }, [router, client]);
}

const IdleGates = laterPart(() => import("./idle-gates.tsx"));

const MenuDrawer = lazyPart(() => import("./menu-drawer.tsx"));

function MobileBar() {
  const { t } = useTranslation("shell");
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => {
    setWasOpened(true);
    setOpened(true);
  };
  return (
    <header className={classes.bar} data-over-toasts>
      <ActionIcon
        ref={button}
        size={44}
        aria-label={t("openMenu")}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Brand />
      <span className={classes.icons}>
        <AppearanceButtons />
      </span>
      {wasOpened && (
        <MenuDrawer opened={opened} onClose={() => setOpened(false)} onFocusLeft={() => button.current?.focus()} />
      )}
    </header>
  );
}

const ENTRY_PAGES: ReadonlySet<string> = new Set(["/login", "/register", "/reset", "/user/reset"]);

/** True for the pages before a login, whose form stands alone: the menu is behind its button, as on a phone. */
const useIsEntryPage = () =>
  useRouterState({
    select: ({ resolvedLocation, location }) => ENTRY_PAGES.has((resolvedLocation ?? location).pathname),
  });

export function Shell() {
  const { t } = useTranslation("shell");
  const isEntryPage = useIsEntryPage();
  useFocusOnNavigation();
  useIdleLoading();
  useInterFromNextPage();
  return (
    <div className={classes.shell} data-entry={isEntryPage}>
      <a className={classes.skip} href="#main">
        {t("skipToContent")}
      </a>
      <Sidebar />
      <div className={classes.content}>
        <MobileBar />
        <Connection />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
        <CustomFooter />
      </div>
      <IdleGates timesWanted={0} instead={null} props={{}} />
      <SessionGate />
    </div>
  );
}
