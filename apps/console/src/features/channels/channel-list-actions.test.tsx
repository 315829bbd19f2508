import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { DEFAULT_THEME } from "@mantine/core";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChannelListPage from "./channel-list-page.tsx";
import { sampleChannel } from "./testing/sample-channel.ts";

const texts = ["channels", "views"] as const;

test("[CHLIST-14] [CHLIST-18] [CHLIST-20] [CHLIST-23] [CHLIST-24] [CHLIST-25] the list and its rows have their buttons", async () => {
  const sent = stubCalls({ "GET /api/channel/": [sampleChannel()] });
  const { router } = await renderPage(<ChannelListPage />, { address: "/channel", texts });
  const link = await screen.findByRole("link", { name: "Main" });
  expect(screen.getByRole("link", { name: "Add channel" }).getAttribute("href")).toBe("/channel/add");
  const row = within(link.closest("tr") ?? document.body);
  expect(row.getByRole("button", { name: "Test Main" })).toBeTruthy();
  expect(row.getByRole("button", { name: "Disable Main" })).toBeTruthy();
  expect(row.getByRole("textbox", { name: "Priority of Main" })).toHaveProperty("value", "3");
  const lists = () => sent.filter(({ address }) => address.startsWith("/api/channel/?")).length;
  const before = lists();
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(lists()).toBe(before + 1));
  await userEvent.click(row.getByRole("button", { name: "More actions for Main" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel/edit/7"));
});

test("[CHLIST-19] [CHLIST-40] a page of many is one of several, and a type is named in its colour", async () => {
  const sent = stubCalls({
    "GET /api/channel/": Array.from({ length: 21 }, (_row, index) =>
      sampleChannel({ id: index + 1, name: `c${index}` }),
    ),
  });
  await renderPage(<ChannelListPage />, { address: "/channel", texts });
  await screen.findByRole("link", { name: "c0" });
  const row = screen.getByRole("link", { name: "c0" }).closest("tr") ?? document.body;
  const name = within(row).getByText("OpenAI").closest("[style]");
  expect(name?.getAttribute("style")).toContain("--mantine-color-");
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  await waitFor(() => expect(sent.at(-1)?.address).toContain("p=1"));
});

test("[TYPE-47] every kind of channel has a colour of the palette", () => {
  for (const { colour, label } of CHANNEL_TYPES) expect(Object.keys(DEFAULT_THEME.colors), label).toContain(colour);
});
