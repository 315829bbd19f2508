import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { toastAnnouncement, toastError, toastInfo, toastNotice, toastSuccess, toastWarning } from "./toasts.ts";

afterEach(() => {
  vi.useRealTimers();
  notifications.clean();
});

test.each([
  ["[CONST-01] success", toastSuccess, 1_500],
  ["[CONST-02] info", toastInfo, 3_000],
  ["[CONST-03] error", toastError, 5_000],
  ["[CONST-04] warning", toastWarning, 10_000],
  ["[CONST-05] notice", toastNotice, 20_000],
  ["[CONST-07] announcement", toastAnnouncement, false],
])("%s closes when it should", (_name, toast, autoClose) => {
  const show = vi.spyOn(notifications, "show").mockReturnValue("");
  toast("text");
  expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "text", autoClose }));
});

const pass = (durationMs: number) => act(() => void vi.advanceTimersByTime(durationMs));

test("[CONST-01] an identical toast renews: its time starts anew, and there is no second one", async () => {
  vi.useFakeTimers();
  render(createElement(MantineProvider, { env: "test" }, createElement(Notifications)));
  act(() => toastSuccess("Saved"));
  pass(1_000);
  act(() => toastSuccess("Saved"));
  pass(1_000);
  expect(screen.getAllByText("Saved")).toHaveLength(1);
  act(() => toastSuccess("Saved"));
  pass(1_000);
  expect(screen.getAllByText("Saved")).toHaveLength(1);
  // It goes at 1.5 s, and then it moves out.
  pass(1_000);
  pass(1_000);
  expect(screen.queryByText("Saved")).toBeNull();
});

test("a toast offers what next, stays long enough to be pressed, and closes with it", async () => {
  const undo = vi.fn<() => void>();
  render(createElement(MantineProvider, { env: "test" }, createElement(Notifications)));
  act(() => toastSuccess("OpenAI main disabled", { label: "Undo", onSelect: undo }));
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText("OpenAI main disabled")).toBeNull());
});
