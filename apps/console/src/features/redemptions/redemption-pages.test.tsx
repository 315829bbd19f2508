import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import RedemptionFormPage from "./redemption-form-page.tsx";
import RedemptionListPage from "./redemption-list-page.tsx";
import { createdCodes } from "./redemption-mutations.ts";
import { sampleRedemption } from "./testing/sample-redemption.ts";

const LIST = "GET /api/redemption/";
const PUT = "PUT /api/redemption/";
const KEY = sampleRedemption().key;
const texts = ["redemptions", "tokens", "views"] as const;
const list = (address = "/redemption") => renderPage(<RedemptionListPage />, { address, texts });
const add = () => renderPage(<RedemptionFormPage />, { address: "/redemption/add", texts });
const edit = () =>
  renderPage(<RedemptionFormPage />, { address: "/redemption/edit/7", path: "/redemption/edit/$id", texts });
const row = async (name = "spring") => {
  const found = (await screen.findByRole("link", { name })).closest("tr");
  if (found === null) throw new Error("the code has no row");
  return within(found);
};
const choose = async (item: string, name = "spring") => {
  await userEvent.click((await row(name)).getByRole("button", { name: `More actions for ${name}` }));
  return screen.findByRole("menuitem", { name: item });
};
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const watchCopies = (isRefused = false) => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation((text) => {
    copied.push(text);
    return isRefused ? Promise.reject(new Error("refused")) : Promise.resolve();
  });
  return copied;
};
afterEach(() => {
  vi.restoreAllMocks();
  notifications.clean();
});

test("[REDEEM-13..15] rows show state, quota, times and who redeemed", async () => {
  stubCalls({
    [LIST]: [
      sampleRedemption(),
      sampleRedemption({ id: 8, name: "off", status: 2 }),
      sampleRedemption({ id: 9, name: "gone", status: 3, redeemed_time: 1_700_000_000, redeemed_by: "grace" }),
    ],
  });
  await list();
  const fresh = await row();
  expect([fresh.getByText("Unused"), fresh.getByText("$1.00")]).toHaveLength(2);
  expect(fresh.queryByText(KEY)).toBeNull();
  expect((await row("off")).getByText("Disabled")).toBeTruthy();
  expect((await row("gone")).getByText("Used")).toBeTruthy();
  expect((await row("gone")).getByRole("link", { name: "grace" }).getAttribute("href")).toBe("/log?username=grace");
});

test("[REDEEM-12] add leads to the form", async () => {
  stubCalls({ [LIST]: [sampleRedemption()] });
  await list();
  await row();
  expect(screen.getByRole("link", { name: "Add codes" }).getAttribute("href")).toBe("/redemption/add");
});

test("[REDEEM-04] a code is copied", async () => {
  userEvent.setup();
  stubCalls({ [LIST]: [sampleRedemption()] });
  const copied = watchCopies();
  await list();
  await userEvent.click((await row()).getByRole("button", { name: "Copy code spring" }));
  expect(await screen.findByText("Code copied")).toBeTruthy();
  expect(copied).toEqual([KEY]);
});

test("[REDEEM-05] [TEXT-28] a code that the browser refuses to copy stands in the search box, in no address and in no call", async () => {
  userEvent.setup();
  const sent = stubCalls({ [LIST]: [sampleRedemption()] });
  watchCopies(true);
  document.execCommand = () => false;
  const { router } = await list();
  await userEvent.click((await row()).getByRole("button", { name: "Copy code spring" }));
  expect(await screen.findByText(/please copy it manually/)).toBeTruthy();
  expect(await screen.findByDisplayValue(KEY)).toBe(document.activeElement);
  await userEvent.keyboard("{Enter}");
  expect(router.state.location.href).not.toContain(KEY);
  expect(sent.some(({ address }) => address.includes(KEY))).toBe(false);
  await userEvent.clear(screen.getByRole("searchbox"));
  await userEvent.type(screen.getByRole("searchbox"), "spr{Enter}");
  await waitFor(() => expect(router.state.location.href).toContain("keyword=spr"));
});

test("[REDEEM-08] [REDEEM-09] [REDEEM-10] the toggle switches between unused and disabled; a used code has none", async () => {
  const answers = {
    [LIST]: [sampleRedemption(), sampleRedemption({ id: 9, name: "gone", status: 3 })],
    [PUT]: sampleRedemption({ status: 2 }),
  };
  const sent = stubCalls(answers);
  await list();
  await userEvent.click(await choose("Disable"));
  expect(await screen.findByText("Operation completed successfully!")).toBeTruthy();
  expect(changing(sent)[0]).toMatchObject({
    address: "/api/redemption/?status_only=true",
    body: { id: 7, status: 2 },
  });
  expect(await (await row()).findByText("Disabled")).toBeTruthy();
  await userEvent.click(await choose("Enable"));
  await waitFor(() => expect(changing(sent)[1]?.body).toEqual({ id: 7, status: 1 }));
  const toggle = await choose("Disable", "gone");
  expect(toggle.hasAttribute("disabled") || toggle.dataset["disabled"] === "true").toBe(true);
});

test("[REDEEM-06] [REDEEM-07] a deleted code vanishes at once", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleRedemption()] };
  const sent = stubCalls(answers);
  await list();
  await userEvent.click(await choose("Delete"));
  answers[LIST] = [];
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "spring" })).toBeNull());
  expect(changing(sent)).toMatchObject([{ method: "DELETE", address: "/api/redemption/7/" }]);
});

/** Takes the files that the page has the browser save. */
function watchDownloads() {
  const files: { name: string; text: Promise<string> }[] = [];
  let blob = new Blob();
  URL.createObjectURL = (object) => {
    if (object instanceof Blob) blob = object;
    return "blob:test";
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    files.push({ name: this.download, text: blob.text() });
  });
  return files;
}

test("[REDEEM-16..23] the form starts with 100000 and 1; the codes come as a text file named after them", async () => {
  const sent = stubCalls({ "POST /api/redemption/": ["code-1", "code-2"] });
  const files = watchDownloads();
  const { router } = await add();
  expect(await screen.findByDisplayValue("$0.20")).toBeTruthy();
  expect(screen.getByRole("button", { name: "100,000 quota" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Create code" }));
  expect((await screen.findAllByText("Enter a name.")).length).toBeGreaterThan(0);
  expect(changing(sent)).toEqual([]);
  await userEvent.type(screen.getByLabelText(/^Name/), "a/b: spring");
  const count = screen.getByLabelText(/^Number of codes/);
  await userEvent.clear(count);
  await userEvent.type(count, "2");
  await userEvent.click(screen.getByRole("button", { name: "Create 2 codes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/redemption"));
  expect(changing(sent)[0]?.body).toEqual({ name: "a/b: spring", quota: 100_000, count: 2 });
  expect(files.map(({ name }) => name)).toEqual(["a-b- spring.txt"]);
  expect(await files[0]?.text).toBe("code-1\ncode-2\n");
  expect(createdCodes.get()).toEqual({ name: "a/b: spring", quota: 100_000, codes: ["code-1", "code-2"] });
});

test("created codes are shown above the list until the dialog is closed, to be copied or downloaded again", async () => {
  stubCalls({ [LIST]: [] });
  const [files, copied] = [watchDownloads(), watchCopies()];
  createdCodes.set({ name: "spring", quota: 100_000, codes: ["code-1", "code-2"] });
  await list();
  const dialog = within(await screen.findByRole("dialog", { name: "2 codes created and downloaded" }));
  expect(dialog.getByText(/^Each adds \$0\.20/)).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Copy all codes" }));
  expect(copied).toEqual(["code-1\ncode-2"]);
  await userEvent.click(dialog.getByRole("button", { name: "Download again" }));
  expect(files.map(({ name }) => name)).toEqual(["spring.txt"]);
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(createdCodes.get()).toBeUndefined());
});

test("[REDEEM-11] a stored code's name and quota are edited; those of a used one are not", async () => {
  const sent = stubCalls({ "GET /api/redemption/7": sampleRedemption(), [PUT]: sampleRedemption() });
  const page = await edit();
  const name = await screen.findByDisplayValue("spring");
  const which = screen.getByText("…wxyz").parentElement?.textContent;
  expect(which).toBe("…wxyzID 7Unused");
  expect(screen.queryByLabelText(/^Number of codes/)).toBeNull();
  await userEvent.clear(name);
  await userEvent.type(name, "summer");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(changing(sent)[0]?.body).toEqual({ id: 7, name: "summer", quota: 500_000 }));
  page.unmount();
  stubCalls({ "GET /api/redemption/7": sampleRedemption({ status: 3 }) });
  await edit();
  expect(await screen.findByText(/has been redeemed/)).toBeTruthy();
  expect(screen.getByLabelText(/^Name/).hasAttribute("disabled")).toBe(true);
});

test("the codes of a batch stand under its name and how many of it are redeemed", async () => {
  const batch = { batch_count: 50, batch_used: 12 };
  stubCalls({
    [LIST]: [
      sampleRedemption(batch),
      sampleRedemption({ ...batch, id: 6 }),
      sampleRedemption({ id: 8, name: "single" }),
    ],
  });
  await list();
  const title = within(await screen.findByRole("row", { name: /^spring\s?\$/ }));
  expect(title.getByRole("link", { name: "12 of 50 redeemed" }).getAttribute("href")).toBe(
    "/redemption?keyword=spring",
  );
  expect(screen.getAllByRole("link", { name: /^spring\s*…/ })).toHaveLength(2);
  expect(screen.getByRole("row", { name: "Single codes" })).toBeTruthy();
  expect((await row("single")).queryByText(/ of \d/)).toBeNull();
});

test("in another order each code says how many of its batch are redeemed", async () => {
  stubCalls({ [LIST]: [sampleRedemption({ batch_count: 50, batch_used: 12 })] });
  await list("/redemption?sort=-quota");
  const link = (await row()).getByRole("link", { name: "12 of 50 redeemed" });
  expect(link.getAttribute("href")).toBe("/redemption?keyword=spring");
});

test("before the press a sentence says what is created, and what it is worth", async () => {
  stubCalls({});
  await add();
  expect(await screen.findByText("Creates 1 code worth $0.20.")).toBeTruthy();
  const count = screen.getByLabelText(/^Number of codes/);
  await userEvent.clear(count);
  await userEvent.type(count, "30");
  expect(screen.getByText("Creates 30 codes of $0.20, $6.00 in total.")).toBeTruthy();
});
