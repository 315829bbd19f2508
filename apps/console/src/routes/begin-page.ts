import { basePath } from "../lib/base-path.ts";
import { loadTexts } from "../lib/i18n/i18n.ts";
import { parsePlainSearch } from "../lib/list/plain-search.ts";
import { currentUser, isCurrentAdmin } from "../lib/state/session.ts";
import { type PageDefinition, PAGES } from "./pages.ts";

const pages: Readonly<Record<string, PageDefinition>> = PAGES;

function isForViewer({ access }: PageDefinition): boolean {
  if (access === "open") return true;
  return access === "admin" ? isCurrentAdmin() : (currentUser() === undefined) === (access === "visitor");
}

/** Begins to load a page while the shell's scripts still run. The page reports what does not load. */
function beginPage({ pathname, search }: Location): void {
  const path = pathname.slice(basePath.length);
  const id = /(?<=\/)[1-9]\d{0,14}$/.exec(path)?.[0];
  const page = pages[path] ?? (id && pages[path.replace(id, "$id")]);
  if (!page || !isForViewer(page)) return;
  const { load, texts = [], queries } = page;
  const data =
    queries &&
    import("./page-queries.ts").then(({ loadQueries }) =>
      loadQueries(queries, parsePlainSearch(search), id ? Number(id) : undefined),
    );
  void Promise.allSettled([load(), loadTexts(texts), data]);
}

beginPage(window.location);
