import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ConfirmProvider } from "../../components/dialogs/confirm.tsx";
import { queryClient } from "../../lib/api/query-client.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { createConsoleRouter } from "../../router.tsx";
import { accepted, refused, stubApi } from "../../testing/stub-api.ts";
import { sampleChannel } from "../channels/testing/sample-channel.ts";
import { sampleToken } from "../tokens/testing/sample-token.ts";
import { logOf } from "../logs/testing/serve-logs.tsx";

const root = { id: 1, username: "root", display_name: "", role: 100, status: 1 };
let quota: number;

async function openAbout(role: number, more: Parameters<typeof stubApi>[0] = {}) {
  storeUser({ ...root, role });
  const sent = stubApi({
    "GET /api/status": refused("none"),
    "GET /api/notice": accepted(""),
    "GET /api/about": accepted("Who we are"),
    "GET /api/user/self": () => accepted({ ...root, role, quota }),
    "GET /api/user/token": accepted("new"),
    "GET /api/channel/search": accepted([sampleChannel({ name: "azure west" })]),
    "GET /api/token/search": accepted([{ id: 3, name: "azure bot" }]),
    "GET /api/user/search": accepted([{ id: 9, username: "azurite", display_name: "Azu Rite" }]),
    "GET /api/redemption/search": accepted([{ id: 5, name: "azure gift" }]),
    ...more,
  });
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ["/about"] }));
  await router.load();
  const view = render(
    <MantineProvider env="test" defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText("Who we are");
  return { sent, router, view };
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  queryClient.clear();
  quota = 1_500_000;
});

// What the server said in a test, its notice above all, would be known in the next file's pages.
afterEach(() => queryClient.clear());

const status = {
  version: "1.2.3",
  start_time: 0,
  email_verification: false,
  github_oauth: false,
  github_client_id: "",
  lark_client_id: "",
  wechat_login: false,
  wechat_qrcode: "",
  turnstile_check: false,
  turnstile_site_key: "",
  system_name: "Our gateway",
  logo: "https://example.com/our.png",
  footer_html: "<b>Our</b> footer",
  theme: "default",
  server_address: "",
  top_up_link: "https://shop.example/",
  chat_link: "",
  quota_per_unit: 500_000,
  display_in_currency: true,
};

const sidebar = () => {
  const found = document.querySelector<HTMLElement>("[data-menu]");
  if (found === null) throw new Error("there is no sidebar");
  return within(found);
};

test("[START-31] [START-32] [TEXT-13] [START-36] before the server says anything the system is One API with its own logo", async () => {
  const { sent } = await openAbout(1);
  expect(sidebar().getByRole("link", { name: "One API" }).querySelector("img")?.getAttribute("src")).toBe("/logo.png");
  expect(document.title).toBe("About · One API");
  expect(sent.every(({ address }) => address.startsWith("/api/"))).toBe(true);
});

test("[START-34] [START-35] [START-36] [START-37] [START-42] the status names the tab, the icon and the footer, and is kept", async () => {
  const icon = document.head.appendChild(document.createElement("link"));
  icon.id = "page-icon";
  onTestFinished(() => icon.remove());
  await openAbout(1, { "GET /api/status": accepted(status) });
  await waitFor(() => expect(document.title).toBe("About · Our gateway"));
  expect(icon.getAttribute("href")).toBe("https://example.com/our.png");
  expect(await screen.findByText("Our", { selector: "footer b" })).toBeTruthy();
  expect(localStorage.getItem("system_name")).toBe("Our gateway");
});

test("[START-47] Shop leads to the top-up link in a new tab", async () => {
  await openAbout(1, { "GET /api/status": accepted(status) });
  const shop = await sidebar().findByRole("link", { name: /^Shop/ });
  expect([shop.getAttribute("href"), shop.getAttribute("target")]).toEqual(["https://shop.example/", "_blank"]);
});

test("[START-38] [START-39] the menu can be reduced to icons, and the browser remembers it", async () => {
  await openAbout(1);
  const menu = () => document.querySelector("[data-menu]")?.getAttribute("data-menu");
  expect(sidebar().getByRole("navigation", { name: "Menu" })).toBeTruthy();
  expect(menu()).toBe("open");
  await userEvent.click(sidebar().getByRole("button", { name: "Collapse menu" }));
  expect([menu(), localStorage.getItem("menu_collapsed")]).toEqual(["collapsed", "true"]);
  await userEvent.click(sidebar().getByRole("button", { name: "Expand menu" }));
  expect(menu()).toBe("open");
});

test("[START-40] [START-41] the theme goes from the system's to light, to dark, and round again", async () => {
  await openAbout(1);
  for (const [shown, next] of [
    ["system", "light"],
    ["light", "dark"],
    ["dark", "system"],
  ]) {
    await userEvent.click(sidebar().getByRole("button", { name: `Theme: ${shown}` }));
    expect(sidebar().getByRole("button", { name: `Theme: ${next}` })).toBeTruthy();
  }
});

test("[START-51] [START-55] [START-56] the sidebar's foot has the way out, or the ways in", async () => {
  await openAbout(1);
  expect(sidebar().getByRole("button", { name: "Log out" })).toBeTruthy();
  expect(sidebar().queryByRole("link", { name: "Log in" })).toBeNull();
  act(() => clearUser());
  expect(sidebar().getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
  expect(sidebar().getByRole("link", { name: "Register" }).getAttribute("href")).toBe("/register");
  expect(sidebar().queryByRole("button", { name: "Log out" })).toBeNull();
});

test("[TEXT-09] a server that cannot be reached is said to be so, and what was shown stays", async () => {
  await openAbout(1, { "GET /api/status": { status: 502, body: "Bad Gateway" } });
  expect(within(await screen.findByRole("alert")).getByText("cannot connect to the server")).toBeTruthy();
  expect(screen.getByText("Who we are")).toBeTruthy();
});

test("[PAGE-07] the notice opens once for each new text", async () => {
  const notice = { text: "Down at noon" };
  const answers = { "GET /api/notice": () => accepted(notice.text) };
  const { view } = await openAbout(1, answers);
  const dialog = within(await screen.findByRole("dialog", { name: "Notice" }));
  expect(await dialog.findByText("Down at noon")).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Got it" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  view.unmount();
  const again = await openAbout(1, answers);
  expect(screen.queryByRole("dialog")).toBeNull();
  again.view.unmount();
  notice.text = "Up again";
  queryClient.clear();
  await openAbout(1, answers);
  expect(await screen.findByText("Up again")).toBeTruthy();
});

test("the balance stands in the sidebar and is asked for again after a change", async () => {
  const { sent } = await openAbout(1);
  expect((await screen.findByRole("link", { name: "Balance: $3.00" })).getAttribute("href")).toBe("/topup");
  quota = 500_000;
  await queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: async () => null })
    .execute(undefined);
  expect(await screen.findByRole("link", { name: "Balance: $1.00" })).toBeTruthy();
  expect(sent.filter(({ address }) => address === "/api/user/self")).toHaveLength(2);
});

test("a balance of millions, as root's first one, is not shown", async () => {
  quota = 500_000_000_000_000;
  const { sent } = await openAbout(100);
  await waitFor(() => expect(sent.some(({ address }) => address === "/api/user/self")).toBe(true));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByRole("link", { name: /^Balance/ })).toBeNull();
});

test("the palette finds channels, tokens, users and codes on the server, in groups, and opens them", async () => {
  const { sent, router } = await openAbout(100);
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Search…" }));
  expect(palette.getByRole("group", { name: "Pages" })).toBeTruthy();
  await userEvent.type(palette.getByRole("combobox"), "azure");
  expect(await within(await palette.findByRole("group", { name: "Tokens" })).findByText("azure bot")).toBeTruthy();
  expect(within(palette.getByRole("group", { name: "Users" })).getByText("azurite · Azu Rite")).toBeTruthy();
  expect(within(palette.getByRole("group", { name: "Redemption codes" })).getByText("azure gift")).toBeTruthy();
  expect(palette.queryByRole("group", { name: "Pages" })).toBeNull();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel/7"));
  const searches = sent.map(({ address }) => address).filter((address) => address.includes("search"));
  expect(searches.toSorted()).toEqual(
    ["channel", "redemption", "token", "user"].map((noun) => `/api/${noun}/search?keyword=azure`),
  );
});

test("what the palette opened comes first the next time, for the same user alone", async () => {
  const { router } = await openAbout(100);
  const search = async () => {
    await userEvent.keyboard("{Control>}k{/Control}");
    return within(await screen.findByRole("dialog", { name: "Search…" }));
  };
  const palette = await search();
  await userEvent.type(palette.getByRole("combobox"), "azure gift");
  await userEvent.click(await palette.findByRole("option", { name: /azure gift/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/redemption/edit/5"));
  const again = await search();
  expect(within(again.getByRole("group", { name: "Recent" })).getAllByRole("option")[0]?.textContent).toBe(
    "azure gift",
  );
  await userEvent.keyboard("{Escape}");
  act(() => storeUser({ ...root, id: 2, role: 100 }));
  expect((await search()).queryByRole("group", { name: "Recent" })).toBeNull();
});

test("a request id, wherever it stands in what is pasted, leads to the request's entry and asks for nothing else", async () => {
  const id = "019ab3c2d4e5f60718293a4b5c";
  const log = logOf({ id: 9, request_id: id });
  const { sent, router } = await openAbout(100, { [`GET /api/log/request/${id}`]: accepted(log) });
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Search…" }));
  await userEvent.click(palette.getByRole("combobox"));
  await userEvent.paste(`timeout (request id: ${id.toUpperCase()})`);
  const group = within(await palette.findByRole("group", { name: "Requests" }));
  await userEvent.click(await group.findByRole("option", { name: /gpt-4o/ }));
  await waitFor(() => expect(router.state.location.href).toBe("/log?open=9"));
  expect(sent.some(({ address }) => address.includes("search"))).toBe(false);
});

test("a question mark lists the keys, but not while one types", async () => {
  await openAbout(1);
  await userEvent.click(screen.getByRole("button", { name: /^Search…/ }));
  await userEvent.type(await screen.findByRole("combobox"), "what?");
  expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await userEvent.keyboard("?");
  const keys = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  expect(keys.getByText("Search the list")).toBeTruthy();
  // Whether it is open outlives the page.
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("G and a letter open a page that the viewer has, and no other", async () => {
  const { router } = await openAbout(1);
  await userEvent.keyboard("gu");
  expect(router.state.location.pathname).toBe("/about");
  await userEvent.keyboard("gw");
  await waitFor(() => expect(router.state.location.pathname).toBe("/topup"));
});

test("the menu marks Setting for the pages that the settings lead to", async () => {
  const { router } = await openAbout(100);
  const mark = () => sidebar().getByRole("link", { name: "Setting" }).getAttribute("aria-current");
  expect(mark()).toBeNull();
  await router.navigate({ to: "/management-keys" });
  await waitFor(() => expect(mark()).toBe("true"));
});

test("what the palette found has the actions of its row, behind the right arrow", async () => {
  const { sent, router } = await openAbout(100, { "PUT /api/channel/": accepted(sampleChannel({ status: 2 })) });
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Search…" }));
  await userEvent.type(palette.getByRole("combobox"), "azure west");
  await palette.findByRole("option", { name: /azure west/ });
  await userEvent.keyboard("{ArrowRight}");
  const actions = within(await palette.findByRole("group", { name: "Actions on azure west" }));
  expect(actions.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Test",
    "Disable",
    "Edit",
    "View details",
    "View log",
    "View usage",
    "Duplicate",
    "Share of requests",
    "Delete",
  ]);
  await userEvent.keyboard("{Backspace}");
  expect(palette.getByRole<HTMLInputElement>("combobox").value).toBe("azure west");
  await userEvent.keyboard("{ArrowRight}disa{Enter}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await waitFor(() => expect(sent.find(({ method }) => method === "PUT")?.body).toEqual({ id: 7, status: 2 }));
  expect(router.state.location.pathname).toBe("/about");
});

test("an action of the palette asks, opens its dialog and ends after the palette has closed", async () => {
  const token = sampleToken({ id: 3, name: "azure bot", old_key_ends_at: 0 });
  const { sent } = await openAbout(1, {
    "GET /api/token/search": accepted([token]),
    "POST /api/token/3/key": accepted({ ...token, key: "b".repeat(48) }),
    "DELETE /api/token/3/": accepted(null),
  });
  const choose = async (action: string) => {
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByRole("combobox"), "azure bot");
    await screen.findByRole("option", { name: /azure bot/ });
    await userEvent.keyboard(`{ArrowRight}${action}{Enter}`);
    await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  };
  await choose("rotate");
  const question = within(await screen.findByRole("dialog", { name: /azure bot/ }));
  await userEvent.click(question.getByRole("button", { name: "Rotate key" }));
  expect(await screen.findByText(`sk-${"b".repeat(48)}`)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await choose("delete");
  const warning = within(await screen.findByRole("dialog", { name: /azure bot/ }));
  await userEvent.click(warning.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(sent.some(({ method }) => method === "DELETE")).toBe(true));
});

test("the palette asks before it disables a channel whose models have no other one", async () => {
  const { sent } = await openAbout(100, {
    "GET /api/channel/effect": accepted({
      lost: 1,
      users: 3,
      models: [{ model: "gpt-4o", groups: ["default"], is_partly: false }],
    }),
  });
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Search…" }));
  await userEvent.type(palette.getByRole("combobox"), "azure west");
  await palette.findByRole("option", { name: /azure west/ });
  await userEvent.keyboard("{ArrowRight}disa{Enter}");
  const question = within(await screen.findByRole("dialog", { name: /Disable.*azure west/ }));
  expect(await question.findByText("gpt-4o")).toBeTruthy();
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.some(({ method }) => method === "PUT")).toBe(false);
});

test("the palette finds actions by any of their words, and settings by label or name", async () => {
  const { router } = await openAbout(100);
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Search…" }));
  const type = async (text: string) => {
    await userEvent.clear(palette.getByRole("combobox"));
    await userEvent.type(palette.getByRole("combobox"), text);
  };
  await type("new channel");
  expect(palette.getByRole("option", { name: "Add channel" })).toBeTruthy();
  expect(palette.queryByRole("option", { name: "Create token" })).toBeNull();
  await type("retrytimes");
  expect(await palette.findByRole("option", { name: /Retries/ })).toBeTruthy();
  await type("status page");
  const settings = within(await palette.findByRole("group", { name: "Settings" }));
  await userEvent.click(settings.getByRole("option", { name: /Status page.*Operation settings · General/ }));
  await waitFor(() => expect(router.state.location.href).toBe("/setting?option=StatusPageEnabled"));
});

test("others than administrators find their tokens alone", async () => {
  const { sent } = await openAbout(1);
  await userEvent.click(screen.getByRole("button", { name: /^Search…/ }));
  await userEvent.type(await screen.findByRole("combobox"), "azure");
  expect(await screen.findByText("azure bot")).toBeTruthy();
  expect(screen.queryByText("azure west")).toBeNull();
  expect(screen.queryByRole("group", { name: "Settings" })).toBeNull();
  expect(sent.filter(({ address }) => /search/.test(address)).map(({ address }) => address)).toEqual([
    "/api/token/search?keyword=azure",
  ]);
});

test("the palette and the menu of narrow screens give the focus back to their buttons", async () => {
  await openAbout(1);
  for (const [name, dialog] of [
    [/^Search…/, "Search…"],
    ["Open menu", "Menu"],
  ] as const) {
    const opener = await screen.findByRole("button", { name });
    opener.focus();
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: dialog });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
  }
});
