import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { sampleUser } from "../../users/testing/sample-user.ts";
import { SETTINGS_MAP } from "../navigation/settings-map.ts";
import OtherSettings from "./other-settings.tsx";

beforeEach(() => storeUser(sampleUser({ role: 100 })));

const options = Object.entries({ Notice: "", SystemName: "One API", Theme: "default", Footer: "", UpdateAddress: "" });

async function open(release: unknown = null) {
  const sent = stubCalls({
    "GET /api/option/": options.map(([key, value]) => ({ key, value })),
    "GET /api/option/secrets": [],
    "GET /api/update": release,
  });
  const sections = SETTINGS_MAP.other.map(({ id }) => <OtherSettings key={id} section={id} />);
  await renderPage(sections, { texts: ["settings"] });
  await screen.findByRole("region", { name: "Notice" });
  return () => sent.filter(({ method }) => method === "PUT").map(({ body }) => body);
}

const section = (name: string) => within(screen.getByRole("region", { name }));

test("[OTHER-02] [OTHER-03] [OTHER-04] [OTHER-05] [OTHER-06] [OTHER-07] [OTHER-08] [OTHER-09] [OTHER-10] [OTHER-11] [OTHER-12] [OTHER-13] each section saves what changed, texts as they were typed", async () => {
  const saved = await open();
  await userEvent.click(section("Notice").getByRole("textbox", { name: "Notice text" }));
  await userEvent.paste("# Hello\n");
  await userEvent.click(section("Notice").getByRole("button", { name: "Save: Notice" }));
  const name = section("Name and appearance").getByRole("textbox", { name: "System name" });
  await userEvent.clear(name);
  await userEvent.type(name, "Our gateway");
  await userEvent.click(section("Name and appearance").getByRole("button", { name: "Save: Name and appearance" }));
  await userEvent.type(section("Pages and footer").getByRole("textbox", { name: "Footer" }), "<b>us</b>");
  await userEvent.click(section("Pages and footer").getByRole("button", { name: "Save: Pages and footer" }));
  await waitFor(() => expect(saved()).toHaveLength(3));
  expect(saved()).toEqual([
    { key: "Notice", value: "# Hello\n" },
    { key: "SystemName", value: "Our gateway" },
    { key: "Footer", value: "<b>us</b>" },
  ]);
});

test("a preview shows what is left of a text when it is sanitised", async () => {
  await open();
  const pages = section("Pages and footer");
  await userEvent.click(pages.getByRole("textbox", { name: "Home page" }));
  await userEvent.paste("## Welcome\n\n<script>alert(1)</script><img src=x onerror=alert(2)>");
  await userEvent.click(pages.getByRole("button", { name: "Preview: Home page" }));
  const preview = pages.getByRole("group", { name: "Preview of Home page" });
  expect(await within(preview).findByRole("heading", { name: "Welcome" })).toBeDefined();
  expect(preview.innerHTML).not.toMatch(/script|onerror/);
});

test("[OTHER-14] [OTHER-15] [OTHER-16] [OTHER-17] [OTHER-18] [TEXT-18] [OTHER-19] a newer version opens a dialog with its notes, close and details", async () => {
  await open({ tag_name: "v9.9.9", body: "## Faster <img src=x onerror=alert(1)>", html_url: "https://git.example/9" });
  await userEvent.click(section("Update").getByRole("button", { name: "Check for updates" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New version: v9.9.9" }));
  expect((await dialog.findByRole("heading", { name: /Faster/ })).innerHTML).not.toContain("onerror");
  expect(dialog.getByRole("link", { name: "Details" }).getAttribute("href")).toBe("https://git.example/9");
  const [close] = dialog.getAllByRole("button", { name: "Close" }).toReversed();
  if (close !== undefined) await userEvent.click(close);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("[TEXT-19] an empty tag says that this is the latest", async () => {
  await open({ tag_name: "", body: "", html_url: "" });
  await userEvent.click(section("Update").getByRole("button", { name: "Check for updates" }));
  expect(await screen.findByText(/^Already latest/)).toBeDefined();
  expect(screen.queryByRole("dialog")).toBeNull();
});
