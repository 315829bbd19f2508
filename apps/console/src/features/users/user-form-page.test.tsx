import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { accepted, stubApi } from "../../testing/stub-api.ts";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleUser } from "./testing/sample-user.ts";
import UserFormPage from "./user-form-page.tsx";

const GROUPS = { "GET /api/group/": ["default", "svip", "vip"] };
const STORED = { "GET /api/user/7": sampleUser({ group: "vip", github_id: "4711" }), ...GROUPS };
const add = () => renderPage(<UserFormPage />, { address: "/user/add", texts: ["users", "budgets", "limits"] });
const edit = () =>
  renderPage(<UserFormPage />, {
    address: "/user/edit/7",
    path: "/user/edit/$id",
    texts: ["users", "budgets", "limits"],
  });
const save = () => userEvent.click(screen.getByRole("button", { name: /^(Create user|Save)$/ }));
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const type = async (label: RegExp, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

test("[USER-53..57] a new user needs a username and a password of 8 characters, else nothing is sent", async () => {
  const sent = stubCalls(GROUPS);
  await add();
  await save();
  expect((await screen.findAllByText("Enter a username.")).length).toBeGreaterThan(0);
  expect(screen.getAllByText("Enter a password.").length).toBeGreaterThan(0);
  await type(/^Password/, "1234567");
  await save();
  expect((await screen.findAllByText("Password length must not be less than 8 characters!")).length).toBeGreaterThan(0);
  expect(changing(sent)).toEqual([]);
});

test("[TEXT-44] [CALL-37] a filled-in form creates the user and leads back to the list", async () => {
  const sent = stubCalls({ ...GROUPS, "POST /api/user/": sampleUser() });
  const { router } = await add();
  await type(/^Username/, " nina ");
  await type(/^Display name/, "Nina");
  await type(/^Password/, "first password");
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/user"));
  expect(await screen.findByText("User created")).toBeTruthy();
  expect(changing(sent)[0]?.body).toEqual({ username: "nina", display_name: "Nina", password: "first password" });
  await userEvent.click(screen.getByRole("button", { name: "Set group and balance" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/user/edit/${sampleUser().id}`));
});

test("[USER-45..52] [TEXT-43] a stored user's fields stand there, bound ids cannot be edited, and a quota is sent only when edited", async () => {
  const sent = stubCalls({ ...STORED, "PUT /api/user/": sampleUser() });
  const { router } = await edit();
  expect(await screen.findByDisplayValue("grace")).toBeTruthy();
  expect(screen.getByText("4711").tagName).toBe("DD");
  expect(screen.getByText(/At least 8 characters/)).toBeTruthy();
  await type(/^Display name/, "G.");
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/user"));
  expect(await screen.findByText("User info updated")).toBeTruthy();
  expect(changing(sent)[0]?.body).toEqual({ id: 7, username: "grace", display_name: "G.", group: "vip" });
});

test("what somebody else has changed meanwhile is not undone", async () => {
  const answers = { ...STORED, "PUT /api/user/": sampleUser() };
  const sent = stubCalls(answers);
  await edit();
  await type(/^Display name/, "G.");
  answers["GET /api/user/7"] = sampleUser({ username: "gracie", group: "svip", quota: 3 });
  await save();
  await waitFor(() => expect(changing(sent)).toHaveLength(1));
  expect(changing(sent)[0]?.body).toEqual({ id: 7, username: "gracie", display_name: "G.", group: "svip" });
});

test("where both changed a field, it takes a second save", async () => {
  const answers = { ...STORED, "PUT /api/user/": sampleUser() };
  const sent = stubCalls(answers);
  await edit();
  await type(/^Display name/, "G.");
  answers["GET /api/user/7"] = sampleUser({ username: "gracie", display_name: "Grace H.", group: "vip" });
  await save();
  expect((await screen.findAllByText(/^Someone else changed this/)).length).toBeGreaterThan(0);
  expect(screen.getByDisplayValue("gracie")).toBeTruthy();
  expect(changing(sent)).toEqual([]);
  await save();
  await waitFor(() => expect(changing(sent)).toHaveLength(1));
  expect(changing(sent)[0]?.body).toEqual({ id: 7, username: "gracie", display_name: "G.", group: "vip" });
});

test("[USER-51] an edited quota is sent as an integer, with the chosen groups and the new password", async () => {
  const sent = stubCalls({ ...STORED, "PUT /api/user/": sampleUser() });
  await edit();
  await screen.findByDisplayValue("grace");
  await type(/^Balance/, "2.469134");
  expect(screen.getByRole("button", { name: "1,234,567 quota" })).toBeTruthy();
  await userEvent.click(screen.getByRole("combobox", { name: /^Group/ }));
  await userEvent.click(await screen.findByRole("option", { name: "svip" }));
  await type(/^New password/, "brand new word");
  await save();
  await waitFor(() =>
    expect(changing(sent)[0]?.body).toMatchObject({ quota: 1_234_567, group: "vip,svip", password: "brand new word" }),
  );
});

test("an administrator who opens the own account is led to the profile", async () => {
  storeUser({ id: 7, username: "grace", display_name: "", role: 10, status: 1 });
  onTestFinished(clearUser);
  stubApi({
    "GET /api/user/7": {
      status: 403,
      body: { success: false, message: "You can act on users below you only.", code: "user-not-below-you" },
    },
    "GET /api/group/": accepted([]),
  });
  await edit();
  expect((await screen.findByRole("link", { name: "Edit profile" })).getAttribute("href")).toBe("/user/edit");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a changed balance says what is added or taken, and a group what it does to prices", async () => {
  const options = [{ key: "GroupRatio", value: '{"default":1,"svip":0.5,"vip":0.8}' }];
  stubCalls({
    ...STORED,
    "GET /api/user/7": sampleUser({ quota: 500_000 }),
    "GET /api/option/": options,
  });
  await edit();
  await screen.findByDisplayValue("grace");
  await type(/^Balance/, "3");
  expect(screen.getByText("Adds $2.00 on save.")).toBeTruthy();
  await type(/^Balance/, "0.25");
  expect(screen.getByText("Takes $0.75 away on save.")).toBeTruthy();
  await userEvent.click(screen.getByRole("combobox", { name: /^Group/ }));
  expect(await screen.findByRole("option", { name: "svip (prices × 0.5)" })).toBeTruthy();
});

test("the form of a new user says with what the account starts", async () => {
  const options = [{ key: "QuotaForNewUser", value: "100000" }];
  stubCalls({ ...GROUPS, "GET /api/option/": options });
  await add();
  expect(await screen.findByText(/^The account starts in group default with \$0\.20\./)).toBeTruthy();
});
