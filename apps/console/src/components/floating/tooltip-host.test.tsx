import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import TooltipHost from "./tooltip-host.tsx";

const open = () =>
  renderPage(
    <>
      <button type="button" data-tip="Test this channel">
        T
      </button>
      <button type="button" data-tip="Delete this channel">
        D
      </button>
      <TooltipHost />
    </>,
  );
const hint = () => screen.queryByRole("tooltip")?.textContent;

test("a button without words says what it does when one points at it or comes by the keyboard, and no longer than that", async () => {
  await open();
  await userEvent.hover(await screen.findByRole("button", { name: "T" }));
  await waitFor(() => expect(hint()).toBe("Test this channel"));
  await userEvent.unhover(screen.getByRole("button", { name: "T" }));
  await waitFor(() => expect(hint()).toBeUndefined());
  await userEvent.tab();
  await userEvent.tab();
  await waitFor(() => expect(hint()).toBe("Delete this channel"));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(hint()).toBeUndefined());
});

test("a press ends what is said", async () => {
  await open();
  const button = await screen.findByRole("button", { name: "T" });
  fireEvent.pointerOver(button, { pointerType: "mouse" });
  await waitFor(() => expect(hint()).toBe("Test this channel"));
  fireEvent.pointerDown(button);
  await waitFor(() => expect(hint()).toBeUndefined());
  for (const key of ["{Enter}", " "]) {
    await userEvent.tab();
    await waitFor(() => expect(hint()).toBeDefined());
    await userEvent.keyboard(key);
    await waitFor(() => expect(hint()).toBeUndefined());
  }
});
