import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, vi } from "vitest";
import { loadErrorTexts } from "../lib/api/error-text.ts";
import { restoreStatus } from "../lib/state/stored-status.ts";
import { startIdleLoading } from "../lib/when-idle.ts";
import { setScreenWidth } from "./screen-width.ts";

// A loaded machine is slow to draw, and slow is not wrong.
configure({ asyncUtilTimeout: 10_000 });

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
// A text field that grows measures anew when a font has come.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

await loadErrorTexts();
// What loads ahead of need is there, as it is for a user a moment after the page.
startIdleLoading(() => false);
// A file that ends before it would leave imports behind that nobody answers any more.
afterAll(() => vi.dynamicImportSettled());

afterEach(() => {
  cleanup();
  // The toasts of a test would still stand in the next one's page.
  notifications.cleanQueue();
  notifications.clean();
  localStorage.clear();
  restoreStatus();
  setScreenWidth(1440);
});
