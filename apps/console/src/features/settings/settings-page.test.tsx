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

test("beside the sections of a tab stand their names, which lead to them", async () => {
  await open(100, { "GET /api/option/": [], "GET /api/option/secrets": [] }, "/setting?tab=other");
  const names = await screen.findByRole("navigation", { name: "Sections" });
  expect(
    within(names)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual(["Notice", "Name and appearance", "Pages and footer", "Update"]);
  await userEvent.click(within(names).getByRole("link", { name: "Update" }));
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Update" }));
});

test.each([
  ["SystemName", "Other settings", () => screen.findByRole("textbox", { name: "System name" })],
  ["RegisterEnabled", "System settings", () => screen.findByRole("checkbox", { name: /^Registration$/ })],
  ["GroupRatio", "Operation settings", () => screen.findByRole("heading", { name: "Ratios" })],
])("a link to the option %s opens its tab, and its field has the focus", async (option, tab, field) => {
  const answers = { "GET /api/option/": [], "GET /api/option/secrets": [], "GET /api/pricing/listed": [] };
  await open(100, answers, `/setting?option=${option}`);
  expect((await screen.findByRole("tab", { name: tab })).getAttribute("aria-selected")).toBe("true");
  const wanted = await field();
  await waitFor(() => expect(document.activeElement).toBe(wanted));
});

test("a section that was not saved is not left for another tab or page without a question", async () => {
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
  await userEvent.click(screen.getByRole("tab", { name: "Personal settings" }));
  const question = within(await screen.findByRole("dialog", { name: "Discard unsaved changes?" }));
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  expect(router.state.location.search).toEqual({ tab: "system" });
  expect(screen.getByDisplayValue("https://a.example/x")).toBe(field);
  await userEvent.click(screen.getByRole("link", { name: "About" }));
  await userEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/about"));
});
