import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ConfirmProvider } from "../../components/dialogs/confirm.tsx";
import { createQueryClient } from "../../lib/api/query-client.ts";
import { storeUser } from "../../lib/state/session.ts";
import { createConsoleRouter } from "../../router.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { stubCalls } from "../../testing/stub-calls.ts";

async function open(role: number, answers: Record<string, unknown>, address = "/setting") {
  storeUser({ id: 1, username: "root", display_name: "", role, status: 1 });
  stubCalls(answers);
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}

test.each([
  [1, ["Personal settings"]],
  [10, ["Personal settings", "Operation settings", "System settings", "Other settings"]],
])("[PERS-01] [OPER-01] [SYS-01] [OTHER-01] role %i has the tabs %j", async (role, tabs) => {
  const factors = { totp_since: 0, recovery_codes_left: 0, passkeys: [], proof: [], is_required: false };
  const self = { id: 1, username: "root", display_name: "", email: "", group: "", quota: 0, role, status: 1 };
  const lists = { "GET /api/user/sessions": [], "GET /api/option/": [], "GET /api/option/secrets": [] };
  const state = { is_set: false, created_at: 0, last_used_at: 0 };
  const answers = {
    ...lists,
    "GET /api/user/self": self,
    "GET /api/user/factors": factors,
    "GET /api/user/token/state": state,
  };
  await open(role, answers, "/setting?tab=system");
  await screen.findByRole("tab", { name: "Personal settings" });
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(tabs);
});

test("a tab shows one section, each with an address that back and forward lead through", async () => {
  const router = await open(100, { "GET /api/option/": [], "GET /api/option/secrets": [] }, "/setting?tab=other");
  const names = within(await screen.findByRole("navigation", { name: "Sections" }));
  expect(names.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "Notice",
    "Name and appearance",
    "Pages and footer",
    "Update",
  ]);
  expect(names.getByRole("link", { name: "Notice" }).getAttribute("aria-current")).toBe("page");
  await userEvent.click(names.getByRole("link", { name: "Update" }));
  expect(await screen.findByRole("heading", { name: "Update" })).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Notice" })).toBeNull();
  expect(router.state.location.href).toBe("/setting?tab=other&section=update");
  router.history.back();
  expect(await screen.findByRole("heading", { name: "Notice" })).toBeTruthy();
});

test("a search finds sections and options of all tabs by label, hint and key, and leads to the field", async () => {
  const router = await open(100, { "GET /api/option/": [], "GET /api/option/secrets": [] });
  const search = await screen.findByRole("searchbox", { name: "Search settings" });
  const names = within(screen.getByRole("navigation", { name: "Sections" }));
  const found = async (text: string) => {
    await userEvent.clear(search);
    await userEvent.type(search, text);
    return names.queryAllByRole("link").map(({ textContent }) => textContent);
  };
  expect(await found("smtpport")).toEqual(["Email System settings", "SMTP port"]);
  expect(await found("redis_url")).toEqual(["Channel Operation settings", "Cache channels in Redis"]);
  expect(await found("passkeys")).toEqual(["Security Personal settings"]);
  expect((await found("log"))[0]).toBe("Log Operation settings");
  expect(await found("2fa")).toEqual(["Security Personal settings"]);
  expect(await found("nothing of the kind")).toEqual([]);
  expect(names.getByText("No settings found")).toBeTruthy();
  await found("retries");
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "General" })).toBeTruthy();
  const field = await screen.findByRole("textbox", { name: "Retries" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(router.state.location.href).toBe("/setting?tab=operation&section=general&option=RetryTimes");
});

test("narrow screens have a select instead of the list", async () => {
  setScreenWidth(360);
  await open(100, { "GET /api/option/": [], "GET /api/option/secrets": [] }, "/setting?tab=other");
  const sections = await screen.findByRole("combobox", { name: "Section" });
  expect(sections).toHaveProperty("value", "Notice");
  await userEvent.click(sections);
  await userEvent.click(await screen.findByRole("option", { name: "Update" }));
  expect(await screen.findByRole("heading", { name: "Update" })).toBeTruthy();
});

test.each([
  ["SystemName", "Other settings", () => screen.findByRole("textbox", { name: "System name" })],
  ["RegisterEnabled", "System settings", () => screen.findByRole("switch", { name: /^Registration$/ })],
  ["GroupRatio", "Operation settings", () => screen.findByRole("textbox", { name: "Group ratios" })],
])("a link to the option %s opens its section, and its field has the focus", async (option, tab, field) => {
  const answers = { "GET /api/option/": [], "GET /api/option/secrets": [] };
  await open(100, answers, `/setting?option=${option}`);
  expect((await screen.findByRole("tab", { name: tab })).getAttribute("aria-selected")).toBe("true");
  const wanted = await field();
  await waitFor(() => expect(document.activeElement).toBe(wanted));
});

test("a section that was not saved is not left for another section or page without a question", async () => {
  const router = await open(
    100,
    {
      "GET /api/option/": [{ key: "ServerAddress", value: "https://a.example" }],
      "GET /api/option/secrets": [],
      "GET /api/about": "We run this.",
    },
    "/setting?tab=system",
  );
  const field = await screen.findByRole("textbox", { name: "Server address" });
  await userEvent.type(field, "/x");
  await userEvent.type(screen.getByRole("searchbox"), "HTTP or SOCKS{Enter}");
  expect(router.state.location.search).toMatchObject({ option: "HttpProxy" });
  await userEvent.click(screen.getByRole("link", { name: "GitHub" }));
  const question = within(await screen.findByRole("dialog", { name: "Discard unsaved changes?" }));
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  expect(router.state.location.search).toMatchObject({ section: "server" });
  expect(screen.getByDisplayValue("https://a.example/x")).toBe(field);
  await userEvent.click(screen.getByRole("link", { name: "About" }));
  await userEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/about"));
});
