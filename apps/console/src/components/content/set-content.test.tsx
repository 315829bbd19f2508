import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { SetContent } from "./set-content.tsx";

test.each(["https://wiki.example/start", "http://wiki.example/start"])(
  "[PAGE-01] [PAGE-05] the address %s is framed in a sandbox of its own",
  async (address) => {
    await renderPage(<SetContent content={` ${address}\n`} title="Home" />);
    const frame = await screen.findByTitle("Home");
    expect(frame.tagName).toBe("IFRAME");
    expect(frame.getAttribute("src")).toBe(address);
    expect(frame.getAttribute("sandbox")).not.toContain("allow-same-origin");
  },
);

test("[PAGE-02] [PAGE-06] everything else is Markdown or HTML", async () => {
  await renderPage(<SetContent content={"## Hello\n\nSee https://wiki.example/start"} title="Home" />);
  expect(await screen.findByRole("heading", { name: "Hello" })).toBeTruthy();
  expect(screen.queryByTitle("Home")).toBeNull();
});
