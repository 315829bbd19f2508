import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { setScreenWidth } from "../../../testing/screen-width.ts";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { sampleChannel } from "../testing/sample-channel.ts";
import ChannelMatrixPage from "./matrix-page.tsx";

const share = (channel: number, name: string, part: number, more: object = {}) => ({
  channel,
  name,
  priority: channel,
  share: part,
  ...more,
});
const texts = ["channel-matrix", "channel-shares", "channel-effect", "channel-bulk"] as const;

test("a channel that is switched off in the preview hands its share on, and the effect is counted", async () => {
  const paused = share(2, "Spare", 0, { code: "rate-limited", reason: "rate-limited for 30 s", awake_in: 30 });
  const now = {
    models: [
      {
        model: "gpt-4o",
        requests: 1_200,
        shares: [share(9, "Main", 1), share(1, "Other", 0, { code: "lower-priority" })],
      },
      { model: "o3", requests: 3, shares: [share(9, "Main", 1), paused] },
      { model: "o1", requests: 0, shares: [share(9, "Main", 1)] },
    ],
    total: 3,
  };
  const then = {
    models: [
      { model: "gpt-4o", requests: 1_200, shares: [share(1, "Other", 1)] },
      { model: "o3", requests: 3, shares: [paused] },
      { model: "o1", requests: 0, shares: [] },
    ],
    total: 3,
  };
  const sent = stubCalls({
    "GET /api/channel/matrix": now,
    "GET /api/channel/matrix?group=default&keyword=&without=9": then,
    "GET /api/channel/effect": { lost: 1, models: [{ model: "o1", groups: ["default"] }], users: 4 },
    "POST /api/channel/bulk/change": [{ id: 9, name: "Main" }],
  });
  await renderPage(<ChannelMatrixPage />, { address: "/channel/matrix", texts });
  const rowOf = (name: string) => within(screen.getByRole("link", { name }).closest("tr") ?? document.body);
  await screen.findByRole("link", { name: "Main" });
  expect(screen.getAllByRole("rowheader").map((head) => within(head).getByRole("link").textContent)).toEqual([
    "Main",
    "Spare",
    "Other",
  ]);
  expect(rowOf("Spare").getByText("paused")).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox", { name: "Main is on" }));
  expect(await rowOf("Other").findByText("0% → 100%")).toBeTruthy();
  expect(rowOf("Main").getAllByText("off")).toHaveLength(3);
  expect(within(screen.getByRole("columnheader", { name: /^o1/ })).getByText("No channel left")).toBeTruthy();
  expect(await screen.findByText("1 model has no other channel; used by 4 users in the last 24 hours.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Disable 1 channel" }));
  expect(await screen.findByText("1 channel changed")).toBeTruthy();
  expect(sent.find(({ method }) => method === "POST")?.body).toEqual({ changes: [{ ids: [9], set: { status: 2 } }] });
});

test("a press on a share takes the model from the channel, and the message gives it back", async () => {
  const models = [{ model: "gpt-4o", requests: 12, shares: [share(9, "Main", 1)] }];
  const sent = stubCalls({
    "GET /api/channel/matrix": { models, total: 1 },
    "GET /api/channel/9": sampleChannel({ id: 9, name: "Main", models: "gpt-4o,o3" }),
    "PUT /api/channel/": sampleChannel({ id: 9, name: "Main" }),
  });
  await renderPage(<ChannelMatrixPage />, { address: "/channel/matrix", texts });
  await userEvent.click(await screen.findByRole("button", { name: /^100%.*gpt-4o, Main$/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Remove gpt-4o from the channel" }));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(2));
  expect(sent.flatMap(({ method, body }) => (method === "PUT" ? [body] : []))).toEqual([
    { id: 9, models: "o3" },
    { id: 9, models: "gpt-4o,o3" },
  ]);
});

test("a channel that keeps its model says why", async () => {
  stubCalls({
    "GET /api/channel/matrix": { models: [{ model: "o3", requests: 0, shares: [share(9, "Main", 1)] }], total: 1 },
    "GET /api/channel/9": sampleChannel({ id: 9, name: "Main", models: "o3" }),
    "PUT /api/channel/": new Error("Choose at least one model."),
  });
  await renderPage(<ChannelMatrixPage />, { address: "/channel/matrix", texts });
  await userEvent.click(await screen.findByRole("button", { name: /^100%.*o3, Main$/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Remove o3 from the channel" }));
  expect(await screen.findByText(/Choose at least one model\./)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("on a phone each model lists its channels, and the channels to switch off stand above", async () => {
  setScreenWidth(360);
  const models = [
    { model: "gpt-4o", requests: 12, shares: [share(9, "Main", 0.75), share(1, "Other", 0.25)] },
    { model: "o3", requests: 0, shares: [share(9, "Main", 1)] },
  ];
  const without = [
    { model: "gpt-4o", requests: 12, shares: [share(1, "Other", 1)] },
    { model: "o3", requests: 0, shares: [] },
  ];
  stubCalls({
    "GET /api/channel/matrix": { models, total: 2 },
    "GET /api/channel/matrix?group=default&keyword=&without=9": { models: without, total: 2 },
    "GET /api/channel/effect": { lost: 1, models: [{ model: "o3", groups: ["default"] }], users: 0 },
  });
  await renderPage(<ChannelMatrixPage />, { address: "/channel/matrix", texts });
  const ofModel = (name: string) => within(screen.getByRole("region", { name }));
  await screen.findByRole("region", { name: "gpt-4o" });
  expect(
    ofModel("gpt-4o")
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Main75%gpt-4o, Main", "Other25%gpt-4o, Other"]);
  await userEvent.click(ofModel("Channels").getByRole("checkbox", { name: "Main is on" }));
  expect(await ofModel("gpt-4o").findByText("25% → 100%")).toBeTruthy();
  expect(ofModel("o3").getByText("No channel left")).toBeTruthy();
});
