import { MantineProvider } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { toastInfo } from "../lib/toasts/toasts.ts";
import { setScreenWidth } from "../testing/screen-width.ts";
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
