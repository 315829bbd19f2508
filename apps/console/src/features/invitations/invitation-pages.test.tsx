import type { Invitation } from "@one-api/contract/accounts/invitation";
import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import InvitationFormPage from "./invitation-form-page.tsx";
import InvitationListPage from "./invitation-list-page.tsx";

const LIST = "GET /api/invitation/";
const texts = ["invitations", "tokens"] as const;
const FAR_SECONDS = 4_000_000_000;

function sampleInvitation(changes: Partial<Invitation> = {}): Invitation {
  return {
    id: 7,
    name: "Ada",
    code: "Code24",
    group: "vip",
    quota: 500_000,
    created_at: 1_700_000_000,
    created_by: "root",
    expires_at: FAR_SECONDS,
    used_at: 0,
    used_by: "",
    ...changes,
  };
}

const list = (address = "/user/invitation") => renderPage(<InvitationListPage />, { address, texts });
const row = async (name: string) => {
  const found = (await screen.findByText(name)).closest("tr");
  if (found === null) throw new Error("the invitation has no row");
  return within(found);
};

afterEach(() => notifications.clean());

test("rows show their state, and who came; only the link of an open one is copied", async () => {
  stubCalls({
    [LIST]: [
      sampleInvitation(),
      sampleInvitation({ id: 8, name: "Bob", used_at: 1_700_000_000, used_by: "bob" }),
      sampleInvitation({ id: 9, name: "Cat", expires_at: 1_700_000_000 }),
    ],
  });
  userEvent.setup();
  await list();
  expect((await row("Ada")).getByText("Open")).toBeDefined();
  expect((await row("Cat")).getByText("Expired")).toBeDefined();
  expect((await row("Bob")).getByRole("link", { name: "bob" }).getAttribute("href")).toBe("/user?keyword=bob");
  const isOff = async (name: string, action: string) =>
    (await row(name)).getByRole("button", { name: new RegExp(action) }).hasAttribute("disabled");
  expect([await isOff("Bob", "Copy link"), await isOff("Cat", "Copy link")]).toEqual([true, true]);
  expect([await isOff("Bob", "Revoke"), await isOff("Cat", "Revoke")]).toEqual([true, false]);
  await userEvent.click((await row("Ada")).getByRole("button", { name: /Copy link/ }));
  expect(await screen.findByText("Invitation link copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/register?invitation=Code24`);
});

test("the list is narrowed by the state of the address", async () => {
  const sent = stubCalls({ [LIST]: [] });
  await list("/user/invitation?state=2&keyword=ada");
  await waitFor(() => expect(sent[0]?.address).toMatch(/state=used/));
  expect(sent[0]?.address).toMatch(/keyword=ada/);
});

test("one is withdrawn after a question, and its row goes", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleInvitation()] };
  const sent = stubCalls(answers);
  await list();
  await userEvent.click((await row("Ada")).getByRole("button", { name: /Revoke/ }));
  answers[LIST] = [];
  const question = within(await screen.findByRole("dialog"));
  await userEvent.click(question.getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(screen.queryByText("Ada")).toBeNull());
  const changing = sent.filter(({ method }) => method !== "GET");
  expect(changing).toMatchObject([{ method: "DELETE", address: "/api/invitation/7" }]);
});

test("the form makes one and copies its link; without a name it sends nothing", async () => {
  const sent = stubCalls({ "GET /api/group/": ["vip"], "POST /api/invitation/": ["Code24"] });
  userEvent.setup();
  await renderPage(<InvitationFormPage />, { address: "/user/invitation/add", texts });
  await userEvent.click(screen.getByRole("button", { name: "Create invitation" }));
  expect(await screen.findAllByText("Enter a name.")).not.toHaveLength(0);
  await userEvent.type(screen.getByRole("textbox", { name: /^Name/ }), "Ada");
  await userEvent.click(screen.getByRole("button", { name: "Create invitation" }));
  expect(await screen.findByText("Invitation created, link copied")).toBeDefined();
  const made = sent.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(made).toEqual([{ name: "Ada", group: "", quota: 0, days: 7, count: 1 }]);
});

test("the form says with which balance the account starts, and warns of none", async () => {
  const option = (value: string) => [{ key: "QuotaForNewUser", value }];
  const answers: Record<string, unknown> = { "GET /api/option/": option("0") };
  stubCalls(answers);
  const { unmount } = await renderPage(<InvitationFormPage />, { address: "/user/invitation/add", texts });
  expect(await screen.findByText(/starts with \$0\.00: its requests are rejected/)).toBeDefined();
  unmount();
  answers["GET /api/option/"] = option("500000");
  await renderPage(<InvitationFormPage />, { address: "/user/invitation/add", texts });
  await userEvent.click(await screen.findByRole("button", { name: "$10" }));
  expect(await screen.findByText("The account starts with $11.00, including $1.00 for every new user.")).toBeDefined();
});
