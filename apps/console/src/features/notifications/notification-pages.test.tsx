import { notifications } from "@mantine/notifications";
import { ALERT_KINDS } from "@one-api/contract/notifications/notification-constants";
import { createReceiverInputSchema } from "@one-api/contract/notifications/receiver";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import DeliveryListPage from "./deliveries/delivery-list-page.tsx";
import ReceiverFormPage from "./receivers/receiver-form-page.tsx";
import ReceiverListPage from "./receivers/receiver-list-page.tsx";
import { sampleDelivery, sampleReceiver } from "./testing/sample-receiver.ts";

const LIST = "GET /api/receiver/";
const texts = ["notifications", "refusals", "shell"] as const;

const logInAs = (role: number) => storeUser({ id: 1, username: "root", display_name: "", role, status: 1 });
const row = async (name: string) => {
  const found = (await screen.findByText(name)).closest("tr");
  if (found === null) throw new Error("the receiver has no row");
  return within(found);
};

beforeEach(() => logInAs(100));
afterEach(() => {
  notifications.clean();
  clearUser();
});

test("the list shows where alerts go, and the state and cause of the last delivery", async () => {
  const failed = sampleDelivery({ status: "waiting", attempts: 2, error: "HTTP 404 no_service" });
  stubCalls({
    [LIST]: [
      sampleReceiver(),
      sampleReceiver({ id: 8, name: "Broken", last_delivery: failed, enabled: false, quiet_hours: null }),
      sampleReceiver({ id: 9, name: "New", last_delivery: null }),
    ],
  });
  await renderPage(<ReceiverListPage />, { address: "/notifications", texts });
  const chat = await row("Ops chat");
  for (const text of ["Slack", "https://hooks.slack.com/…", "Delivered", "Enabled", "22:00–07:00"])
    expect(chat.getByText(text)).toBeDefined();
  expect(chat.getByText("Channel disabled +1")).toBeDefined();
  const broken = await row("Broken");
  for (const text of ["Retrying", "HTTP 404 no_service", "Disabled"]) expect(broken.getByText(text)).toBeDefined();
  expect((await row("New")).getByText("None yet")).toBeDefined();
});

test("a test message is sent from the row, and its result is told", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleReceiver()], "POST /api/receiver/7/test": null };
  const sent = stubCalls(answers);
  await renderPage(<ReceiverListPage />, { address: "/notifications", texts });
  answers[LIST] = [sampleReceiver({ last_delivery: sampleDelivery({ id: 71, count: 0, alerts: [] }) })];
  await userEvent.click((await row("Ops chat")).getByRole("button", { name: /Send test/ }));
  expect(await screen.findByText("Test message sent to Ops chat")).toBeDefined();
  expect(sent.filter(({ method }) => method === "POST").map(({ address }) => address)).toEqual([
    "/api/receiver/7/test",
  ]);
});

test("other administrators learn whose page it is", async () => {
  logInAs(10);
  const sent = stubCalls({});
  await renderPage(<ReceiverListPage />, { address: "/notifications", texts });
  expect(await screen.findByText("Only for the super administrator")).toBeDefined();
  expect(sent).toEqual([]);
});

test("the form asks for what the kind needs, generates a secret and sends both", async () => {
  const sent = stubCalls({ "POST /api/receiver/": sampleReceiver(), [LIST]: [] });
  userEvent.setup();
  await renderPage(<ReceiverFormPage />, { address: "/notifications/add", texts });
  await userEvent.click(screen.getByRole("button", { name: "Add receiver" }));
  expect(await screen.findAllByText("Enter a name.")).not.toHaveLength(0);
  expect(screen.getAllByText("Enter a web address that begins with https://.")).not.toHaveLength(0);
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByRole("textbox", { name: /^Name/ }), "Hook");
  await userEvent.type(screen.getByRole("textbox", { name: /^Webhook URL/ }), "https://example.com/alerts");
  await userEvent.click(screen.getByRole("button", { name: "Generate" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Channel balance low" }));
  await userEvent.click(screen.getByRole("button", { name: "Add receiver" }));
  expect(await screen.findByText("Receiver saved")).toBeDefined();
  const [made] = sent
    .filter(({ method }) => method === "POST")
    .map(({ body }) => createReceiverInputSchema.parse(body));
  expect(made?.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(made).toMatchObject({
    name: "Hook",
    kind: "webhook",
    address: "https://example.com/alerts",
    alerts: ALERT_KINDS.filter((kind) => kind !== "channel-balance-low"),
    language: "en",
    quiet_hours: null,
    enabled: true,
  });
});

test("a stored receiver keeps its address and secret unless they are typed again", async () => {
  const stored = sampleReceiver({ kind: "feishu", has_secret: true, address: "https://open.feishu.cn/…" });
  const sent = stubCalls({ "GET /api/receiver/7": stored, "PUT /api/receiver/": stored, [LIST]: [] });
  userEvent.setup();
  await renderPage(<ReceiverFormPage />, { address: "/notifications/edit/7", path: "/notifications/edit/$id", texts });
  expect(await screen.findByPlaceholderText("https://open.feishu.cn/…")).toBeDefined();
  expect(screen.getByText("A secret is stored. Leave empty to keep it.")).toBeDefined();
  await userEvent.click(screen.getByRole("switch", { name: "Set quiet hours" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Receiver saved")).toBeDefined();
  expect(sent.filter(({ method }) => method === "PUT").map(({ body }) => body)).toMatchObject([
    { id: 7, kind: "feishu", address: "", secret: "", quiet_hours: null },
  ]);
});

test("the log has each delivery with its receiver, and is narrowed by the address", async () => {
  const givenUp = sampleDelivery({ id: 71, status: "given-up", attempts: 6, error: "HTTP 500" });
  const sent = stubCalls({
    [LIST]: [sampleReceiver()],
    "GET /api/receiver/delivery": [givenUp, sampleDelivery({ count: 0, alerts: [] })],
  });
  await renderPage(<DeliveryListPage />, { address: "/notifications/deliveries?receiver=7&status=given-up", texts });
  expect(await screen.findByText("HTTP 500")).toBeDefined();
  await waitFor(() => expect(screen.getAllByText("Ops chat").length).toBeGreaterThan(1));
  expect(screen.getByText("Test message")).toBeDefined();
  const asked = sent.find(({ address }) => address.startsWith("/api/receiver/delivery"))?.address;
  expect(asked).toMatch(/receiver=7&status=given-up/);
});

test("all alerts, the urgent ones or none are chosen with one press", async () => {
  stubCalls({});
  userEvent.setup();
  await renderPage(<ReceiverFormPage />, { address: "/notifications/add", texts });
  const presets = within(await screen.findByRole("group", { name: "Alert presets" }));
  // The marks of budgets are percentages.
  const chosen = () => screen.queryAllByRole("checkbox", { checked: true, name: /^[^%]+$/ }).length;
  expect(presets.getByRole("button", { name: "All", pressed: true })).toBeDefined();
  await userEvent.click(presets.getByRole("button", { name: "Urgent only" }));
  expect(chosen()).toBe(3);
  expect(screen.getByRole("checkbox", { name: "Channel disabled" }).matches(":checked")).toBe(true);
  await userEvent.click(presets.getByRole("button", { name: "None" }));
  expect(chosen()).toBe(0);
});
