import { notifications } from "@mantine/notifications";
import { expect, test, vi } from "vitest";
import { toastAnnouncement, toastError, toastInfo, toastNotice, toastSuccess, toastWarning } from "./toasts.ts";

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
