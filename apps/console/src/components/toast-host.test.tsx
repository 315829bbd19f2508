import { MantineProvider } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { toastInfo } from "../lib/toasts/toasts.ts";
import { setScreenWidth } from "../testing/screen-width.ts";
import { Dialog, DialogFoot } from "./dialogs/dialog.tsx";
import ToastHost from "./toast-host.tsx";

afterEach(() => notifications.clean());

test.each([
  [1_440, "bottom-right"],
  [601, "bottom-right"],
  [600, "top-center"],
  [360, "top-center"],
])("[CONST-06] at %i px toasts stand %s", async (widthPx, position) => {
  setScreenWidth(widthPx);
  render(
    <MantineProvider env="test">
      <ToastHost />
    </MantineProvider>,
  );
  toastInfo("Something to know");
  const toast = await screen.findByText("Something to know");
  expect(toast.closest("[data-position]")?.getAttribute("data-position")).toBe(position);
});

test("toasts stand above the buttons of a dialog", async () => {
  setScreenWidth(1_440);
  const buttons = { top: window.innerHeight - 70, bottom: window.innerHeight - 30 };
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function box(this: Element) {
    const { top, bottom } =
      this.textContent === "Delete" ? buttons : { top: 0, bottom: this.matches("[data-toasts]") ? 60 : 0 };
    return new DOMRect(0, top, 400, bottom - top);
  });
  render(
    <MantineProvider env="test">
      <ToastHost />
      <Dialog title="Delete it?" onClose={() => undefined}>
        <DialogFoot>
          <button type="button">Delete</button>
        </DialogFoot>
      </Dialog>
    </MantineProvider>,
  );
  toastInfo("Something to know");
  const host = (await screen.findByText("Something to know")).closest<HTMLElement>("[data-toasts]");
  await waitFor(() => expect(host?.style.getPropertyValue("--toast-edge")).toBe("78px"));
});
