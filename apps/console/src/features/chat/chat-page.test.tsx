import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChatPage from "./chat-page.tsx";

function openChat(link: string) {
  localStorage.setItem(STORAGE_KEY.chatLink, link);
  restoreStatus();
  return renderPage(<ChatPage />, { texts: ["chat"] });
}

const sandboxOf = async () => (await screen.findByTitle("Chat")).getAttribute("sandbox")?.split(" ") ?? [];

beforeEach(() => stubCalls({ "GET /api/status": new Error("none") }));

test("[ROUTE-11] [PAGE-10] the chat link is framed in a sandbox, and may remember what was said under its own origin", async () => {
  await openChat("https://chat.example/app");
  expect((await screen.findByTitle("Chat")).getAttribute("src")).toBe("https://chat.example/app");
  expect(await sandboxOf()).toContain("allow-same-origin");
  expect(await sandboxOf()).not.toContain("allow-top-navigation");
});

test("[PAGE-10] a page of this very origin is not let out of its sandbox", async () => {
  await openChat(`${window.location.origin}/chat-app/`);
  expect(await sandboxOf()).not.toContain("allow-same-origin");
});

test.each(["", "javascript:alert(1)", "data:text/html,x", "chat.example"])(
  "without an address of the web (%s) the page says what belongs here",
  async (link) => {
    await openChat(link);
    expect(await screen.findByText("No chat yet")).toBeTruthy();
    expect(screen.queryByTitle("Chat")).toBeNull();
  },
);
