import { notifications } from "@mantine/notifications";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { onSessionExpired, storeUser } from "../state/session.ts";
import { showError } from "./show-error.ts";

function spyOnToasts() {
  return vi.spyOn(notifications, "show").mockReturnValue("");
}

let show: ReturnType<typeof spyOnToasts>;

beforeEach(() => {
  show = spyOnToasts();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const http = (status: number) => new ApiError({ kind: "http", status, message: "server text" });

test.each([
  [
    "[TEXT-01] a refusal",
    new ApiError({ kind: "refused", status: 200, message: "Too poor." }),
    "Too poor.",
    "danger",
    5_000,
  ],
  ["[TEXT-03] 429", http(429), "Error: too many requests, please try later!", "danger", 5_000],
  ["[TEXT-04] 500", http(500), "Error: internal server error, please contact the administrator!", "danger", 5_000],
  ["[TEXT-05] 405", http(405), "This site is for demonstration only, no server side!", "info", 3_000],
  ["[TEXT-06] another status", http(403), "Error: server text", "danger", 5_000],
  ["[TEXT-07] no HTTP error", new TypeError("Failed to fetch"), "Error: Failed to fetch", "danger", 5_000],
])("%s is shown in the words and for the time of the catalogue", (_name, error, message, color, autoClose) => {
  showError(error);
  expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message, color, autoClose }));
});

test("[TEXT-02] 401 forgets the user and tells those who lead to the login, without a toast", () => {
  storeUser({ id: 1, username: "u", display_name: "", role: 1, status: 1 });
  const expired = vi.fn<() => void>();
  const stop = onSessionExpired(expired);
  showError(http(401));
  stop();
  expect(expired).toHaveBeenCalledOnce();
  expect(localStorage.getItem("user")).toBeNull();
  expect(show).not.toHaveBeenCalled();
});

test("[TEXT-08] errors are logged to the browser's console", () => {
  const error = http(500);
  showError(error);
  expect(console.error).toHaveBeenCalledWith(error);
});
