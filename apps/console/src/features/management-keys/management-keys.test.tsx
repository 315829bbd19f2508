import { notifications } from "@mantine/notifications";
import { createManagementKeyInputSchema } from "@one-api/contract/accounts/management-key";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import KeyFormPage from "./key-form-page.tsx";
import KeyListPage from "./key-list-page.tsx";
import { sampleKey } from "./testing/sample-key.ts";

const LIST = "GET /api/management-key/";
const CREATE = "POST /api/management-key/";
const SECRET = `oam_${"s".repeat(40)}`;
const texts = ["management-keys", "refusals", "common"] as const;

const logInAs = (role: number) => storeUser({ id: 1, username: "root", display_name: "", role, status: 1 });
const row = async (name: string) => {
  const found = (await screen.findByText(name)).closest("tr");
  if (found === null) throw new Error("the key has no row");
  return within(found);
};

beforeEach(() => {
  userEvent.setup();
  logInAs(100);
});
afterEach(() => {
  notifications.clean();
  clearUser();
});

test("the list shows the scopes, networks and last use of each key, and to root its owner", async () => {
  const used = { last_used_at: 1_760_000_000, last_used_address: "192.0.2.7", networks: ["192.0.2.0/24"] };
  stubCalls({
    [LIST]: [sampleKey(used), sampleKey({ id: 8, name: "old", owner: "ann", is_own: false, expires_at: 1 })],
  });
  await renderPage(<KeyListPage />, { address: "/management-keys", texts });
  const deploy = await row("deploy");
  for (const text of ["oam_…x9Zq", "channels:write, options:read", "192.0.2.0/24", "192.0.2.7", "Valid", "root"])
    expect(deploy.getByText(text)).toBeDefined();
  const old = await row("old");
  expect(old.getByText("ann")).toBeDefined();
  expect(old.getByText("Expired")).toBeDefined();
});

test("a key is created with the chosen scopes, and its secret is shown until it is closed", async () => {
  const sent = stubCalls({ [CREATE]: { ...sampleKey(), key: SECRET }, [LIST]: [] });
  const { router } = await renderPage(<KeyFormPage />, { address: "/management-keys/add", texts });
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findAllByText("Enter a name.")).not.toHaveLength(0);
  expect(screen.getAllByText("Choose at least one scope.")).not.toHaveLength(0);
  await userEvent.type(screen.getByRole("textbox", { name: /^Name/ }), "deploy");
  const rightsIn = (area: string) => within(screen.getByRole("group", { name: area }));
  await userEvent.click(rightsIn("Channels").getByRole("button", { name: "Read/write" }));
  expect(rightsIn("Audit").getByRole("button", { name: "Read/write" }).hasAttribute("disabled")).toBe(true);
  await userEvent.click(rightsIn("Audit").getByRole("button", { name: "Read" }));
  await userEvent.type(screen.getByRole("combobox", { name: "Networks" }), "nonsense,");
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findAllByText(/^Enter ranges such as/)).not.toHaveLength(0);
  await userEvent.type(screen.getByRole("combobox", { name: "Networks" }), "{Backspace}192.0.2.0/24,");
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByDisplayValue(SECRET)).toBeDefined();
  const [input] = sent
    .filter(({ method }) => method === "POST")
    .map(({ body }) => createManagementKeyInputSchema.parse(body));
  expect(input).toMatchObject({ name: "deploy", scopes: ["channels:write", "audit:read"], networks: ["192.0.2.0/24"] });
  expect(Number(input?.expires_at)).toBeGreaterThan(Date.now() / 1_000 + 89 * 86_400);
  expect(JSON.stringify([localStorage, sessionStorage, window.location.href])).not.toContain(SECRET);
  await userEvent.click(screen.getByRole("button", { name: "I've stored it" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/management-keys"));
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
});

test("a key is edited by its owner; its expiry stays unless another is chosen", async () => {
  const stored = sampleKey({ expires_at: 1_900_000_000, networks: ["192.0.2.0/24"] });
  const sent = stubCalls({
    "GET /api/management-key/7": stored,
    "PUT /api/management-key/7": stored,
    [LIST]: [stored, sampleKey({ id: 8, name: "other", is_own: false })],
  });
  await renderPage(<KeyListPage />, { address: "/management-keys", texts });
  expect((await row("other")).getByRole("button", { name: /^Edit/ })).toHaveProperty("disabled", true);
  const edit = { address: "/management-keys/edit/7", path: "/management-keys/edit/$id", texts };
  await renderPage(<KeyFormPage />, edit);
  expect(await screen.findByDisplayValue("deploy")).toBeDefined();
  const channels = within(screen.getByRole("group", { name: "Channels" }));
  await userEvent.click(channels.getByRole("button", { name: "Read" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Management key saved")).toBeDefined();
  const [input] = sent.filter(({ method }) => method === "PUT").map(({ body }) => body);
  expect(input).toEqual({ name: "deploy", scopes: ["channels:read", "options:read"], networks: ["192.0.2.0/24"] });
});

test("a key is rotated with an overlap, and only by its owner", async () => {
  const sent = stubCalls({
    [LIST]: [sampleKey(), sampleKey({ id: 8, name: "other", is_own: false })],
    "POST /api/management-key/7/rotate": { ...sampleKey(), key: SECRET },
  });
  await renderPage(<KeyListPage />, { address: "/management-keys", texts });
  expect((await row("other")).getByRole("button", { name: /^Rotate/ })).toHaveProperty("disabled", true);
  await userEvent.click((await row("deploy")).getByRole("button", { name: /^Rotate/ }));
  await userEvent.click(await screen.findByRole("radio", { name: "1 hour" }));
  await userEvent.click(screen.getByRole("button", { name: "Rotate key" }));
  expect(await screen.findByDisplayValue(SECRET)).toBeDefined();
  expect(sent.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([{ overlap_seconds: 3_600 }]);
});

test("a key is revoked after a question", async () => {
  const sent = stubCalls({ [LIST]: [sampleKey()], "DELETE /api/management-key/7": null });
  await renderPage(<KeyListPage />, { address: "/management-keys", texts });
  await userEvent.click((await row("deploy")).getByRole("button", { name: "More actions for deploy" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Revoke/ }));
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
  expect(await screen.findByText("deploy revoked")).toBeDefined();
  expect(sent.map(({ method, address }) => `${method} ${address}`)).toContain("DELETE /api/management-key/7");
});

test("all areas are set with one press, and the sentence beside the button says what the key may do", async () => {
  const sent = stubCalls({ [CREATE]: { ...sampleKey(), key: SECRET }, [LIST]: [] });
  await renderPage(<KeyFormPage />, { address: "/management-keys/add", texts });
  expect(await screen.findByText("The key has no scope yet.")).toBeDefined();
  await userEvent.type(screen.getByRole("textbox", { name: /^Name/ }), "deploy");
  const rightsIn = (area: string) => within(screen.getByRole("group", { name: area }));
  await userEvent.click(rightsIn("All").getByRole("button", { name: "Read/write" }));
  expect(rightsIn("Audit").getByRole("button", { name: "Read", pressed: true })).toBeDefined();
  expect(
    screen.getByText("Reads Stored bodies, Usage, Audit, System; reads and writes 10 areas; for 90 days"),
  ).toBeDefined();
  await userEvent.click(rightsIn("Channels").getByRole("button", { name: "None" }));
  expect(rightsIn("All").queryByRole("button", { pressed: true })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByDisplayValue(SECRET);
  const scopes = sent
    .filter(({ method }) => method === "POST")
    .map(({ body }) => createManagementKeyInputSchema.parse(body).scopes);
  expect(scopes[0]).toHaveLength(13);
  expect(scopes[0]).toContain("audit:read");
});
