import { expect, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { hostilePayloads } from "./hostile-payloads.ts";

/** So many payloads stand in one text, as each page takes its time. */
const AT_ONCE = 40;

/** Ends what a payload left open, so that it takes none of the others with it. */
const CLOSED = `\n\n"'>--></script></style></title></xmp></textarea></noscript></select></template></svg></math>\n\n`;

/** Counts what the browser's policy refuses, and what runs. */
const WATCH = `
window.__reports = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.__reports.push([event.violatedDirective, event.blockedURI, event.sample].join(" "));
});`;

test("[V20] [PAGE-03] [PAGE-06] [START-43] nothing that administrators write runs, loads from elsewhere, or is reported by the browser", async ({
  browser,
}) => {
  const gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  const context = await browser.newContext();
  await context.addInitScript({ content: WATCH });
  const page = await context.newPage();
  const outside: string[] = [];
  const calls: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== gateway.url && !request.url().startsWith("data:")) outside.push(request.url());
    if (pathname.startsWith("/api/user/")) calls.push(pathname);
  });
  page.on("dialog", (dialog) => {
    outside.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  expect(hostilePayloads.length).toBeGreaterThanOrEqual(200);
  for (let start = 0; start < hostilePayloads.length; start += AT_ONCE) {
    const text = hostilePayloads.slice(start, start + AT_ONCE).join(CLOSED);
    for (const key of ["Notice", "About", "Footer"]) await root.send("PUT", "/api/option/", { key, value: text });
    await page.goto(`${gateway.url}/about`);
    // The page's own, and the footer's; the notice opens over both.
    await expect(page.locator("main *").first()).toBeAttached();
    await expect(page.locator("footer *").first()).toBeAttached();
    await expect(page.getByRole("dialog", { name: "Notice" })).toBeVisible();
    const watched = await page.evaluate(() =>
      JSON.stringify(["__ran" in globalThis, Reflect.get(globalThis, "__reports")]),
    );
    expect(watched, text).toBe("[false,[]]");
    expect(outside, text).toEqual([]);
    expect(calls, text).toEqual([]);
  }
  await context.close();
  await gateway.stop();
});
