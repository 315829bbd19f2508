import { notifications } from "@mantine/notifications";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import React from "react";
import { afterAll, afterEach, expect, vi } from "vitest";
import { loadErrorTexts } from "../lib/api/error-text.ts";
import { clearUser } from "../lib/state/session.ts";
import { restoreStatus } from "../lib/state/stored-status.ts";
import { startIdleLoading } from "../lib/loading/when-idle.ts";
import { refusedNames } from "./refused-names.ts";
import { setScreenWidth } from "./screen-width.ts";

/** Testing Library's own error, but that it draws the page when its message is read: those of a wait that goes on are read by nobody. */
function elementError(message: string | null, container: Element): Error {
  const error = new Error();
  // What it points at is the test.
  Error.captureStackTrace(error, elementError);
  error.name = "TestingLibraryElementError";
  const get = () => [message, prettyDOM(container)].filter(Boolean).join("\n\n");
  Object.defineProperty(error, "message", { get, configurable: true });
  return error;
}

// A loaded machine is slow to draw, and slow is not wrong.
configure({ asyncUtilTimeout: 10_000, getElementError: elementError });

// React notes where each element was made until it has made ten thousand in a second, for warnings; it costs more than drawing them.
const internals: unknown = Reflect.get(React, "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE");
if (typeof internals === "object" && internals !== null)
  Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => 10_000, set: () => {} });

// jsdom lays nothing out: what Mantine asks of the browser is answered here.
setScreenWidth(1440);
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// jsdom's frames come from one interval for all: fake timers that start or end meanwhile leave none for later tests.
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;
const frames = new Map<number, NodeJS.Timeout>();
let frameCount = 0;
vi.stubGlobal("requestAnimationFrame", (draw: FrameRequestCallback) => {
  const id = ++frameCount;
  const timer = setRealTimeout(() => {
    frames.delete(id);
    draw(performance.now());
  }, 1000 / 60);
  frames.set(id, timer);
  return id;
});
vi.stubGlobal("cancelAnimationFrame", (id: number) => {
  clearRealTimeout(frames.get(id));
  frames.delete(id);
});
// A text field that grows measures anew when a font has come.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

await loadErrorTexts();
// What loads ahead of need is there, as it is for a user a moment after the page.
startIdleLoading(() => false);
// A file that ends before it would leave imports behind that nobody answers any more.
afterAll(() => vi.dynamicImportSettled());
// Files share the session's module, and most expect a visitor.
afterAll(clearUser);

afterEach(() => {
  cleanup();
  // The toasts of a test would still stand in the next one's page.
  notifications.cleanQueue();
  notifications.clean();
  localStorage.clear();
  restoreStatus();
  setScreenWidth(1440);
  expect(refusedNames.splice(0)).toEqual([]);
});
