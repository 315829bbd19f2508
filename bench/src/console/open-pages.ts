import type { BrowserContext, Page } from "@playwright/test";

interface OpenedPage {
  readonly name: string;
  readonly path: string;
  /** Its content, not its frame: the first row, a number, a field. */
  readonly content: string;
}

/** Pages, with the content that shows once their data is there. */
export const PAGES: readonly OpenedPage[] = [
  { name: "page: log", path: "/log", content: "tbody [data-row]" },
  { name: "page: log of 100 rows", path: "/log?size=100", content: "tbody [data-row]" },
  { name: "page: channels", path: "/channel", content: "tbody [data-row]" },
  { name: "page: tokens", path: "/token", content: "tbody [data-row]" },
  { name: "page: users", path: "/user", content: "tbody [data-row]" },
  { name: "page: dashboard", path: "/dashboard", content: "main canvas" },
  { name: "page: prices", path: "/pricing", content: "tbody [data-row]" },
  { name: "page: settings", path: "/setting?tab=operation", content: "main form input" },
  { name: "page: channel form", path: "/channel/edit/1", content: "main form input" },
];

/** Resolves with the time since the visit began, once the content is painted. */
const timeOfContent = (content: string) => `new Promise((resolve, reject) => {
  const look = () => {
    if (performance.now() > 60_000) return reject(new Error("The content is missing."));
    const element = document.querySelector(${JSON.stringify(content)});
    // Rows are hidden until their columns fit.
    if (!element?.checkVisibility({ visibilityProperty: true })) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  };
  look();
})`;

/** Opens a page with an empty cache, and once more with a full one. */
export async function openPages(
  context: BrowserContext,
  url: string,
  { path, content }: OpenedPage,
  slowDown: (page: Page) => Promise<void>,
): Promise<{ first: number; again: number }> {
  const visit = async () => {
    const page = await context.newPage();
    await slowDown(page);
    await page.goto(url + path, { waitUntil: "commit" });
    const ms = await page.evaluate<number>(timeOfContent(content));
    await page.waitForLoadState("networkidle");
    await page.close();
    return ms;
  };
  const first = await visit();
  return { first, again: await visit() };
}
