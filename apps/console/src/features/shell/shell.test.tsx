import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "../../components/dialogs/confirm.tsx";
import { queryClient } from "../../lib/api/query-client.ts";
import { storeUser } from "../../lib/state/session.ts";
import { createConsoleRouter } from "../../router.tsx";
import { accepted, refused, stubApi } from "../../testing/stub-api.ts";

const root = { id: 1, username: "root", display_name: "", role: 100, status: 1 };
let quota: number;

async function openAbout(role: number) {
  storeUser({ ...root, role });
  const sent = stubApi({
    "GET /api/status": refused("none"),
    "GET /api/notice": accepted(""),
    "GET /api/about": accepted("Who we are"),
    "GET /api/user/self": () => accepted({ ...root, role, quota }),
    "GET /api/user/token": accepted("new"),
    "GET /api/channel/search": accepted([{ id: 7, name: "azure west" }]),
    "GET /api/token/search": accepted([{ id: 3, name: "azure bot" }]),
    "GET /api/user/search": accepted([{ id: 9, username: "azurite", display_name: "Azu Rite" }]),
    "GET /api/redemption/search": accepted([{ id: 5, name: "azure gift" }]),
  });
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ["/about"] }));
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText("Who we are");
  return { sent, router };
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  queryClient.clear();
  quota = 1_500_000;
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

test("the palette finds channels, tokens, users and codes on the server, in groups, and opens them", async () => {
  const { sent, router } = await openAbout(100);
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Go to …" }));
  expect(palette.getByRole("group", { name: "Pages" })).toBeTruthy();
  await userEvent.type(palette.getByRole("combobox"), "azure");
  expect(await within(await palette.findByRole("group", { name: "Tokens" })).findByText("azure bot")).toBeTruthy();
  expect(within(palette.getByRole("group", { name: "Users" })).getByText("azurite · Azu Rite")).toBeTruthy();
  expect(within(palette.getByRole("group", { name: "Redemption codes" })).getByText("azure gift")).toBeTruthy();
  expect(palette.queryByRole("group", { name: "Pages" })).toBeNull();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel/edit/7"));
  const searches = sent.map(({ address }) => address).filter((address) => address.includes("search"));
  expect(searches.toSorted()).toEqual(
    ["channel", "redemption", "token", "user"].map((noun) => `/api/${noun}/search?keyword=azure`),
  );
});

test("a question mark lists the keys, but not while one types", async () => {
  await openAbout(1);
  await userEvent.click(screen.getByRole("button", { name: /^Go to …/ }));
  await userEvent.type(await screen.findByRole("combobox"), "what?");
  expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await userEvent.keyboard("?");
  const keys = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  expect(keys.getByText("Search the list")).toBeTruthy();
});

test("others than administrators find their tokens alone", async () => {
  const { sent } = await openAbout(1);
  await userEvent.click(screen.getByRole("button", { name: /^Go to …/ }));
  await userEvent.type(await screen.findByRole("combobox"), "azure");
  expect(await screen.findByText("azure bot")).toBeTruthy();
  expect(screen.queryByText("azure west")).toBeNull();
  expect(sent.filter(({ address }) => /search/.test(address)).map(({ address }) => address)).toEqual([
    "/api/token/search?keyword=azure",
  ]);
});
