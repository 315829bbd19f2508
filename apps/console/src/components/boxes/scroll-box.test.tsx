import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ScrollBox } from "./scroll-box.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a box takes the focus while its content does not fit, and no tab stop else", () => {
  const observers: (() => void)[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(measure: () => void) {
        observers.push(measure);
      }
      observe() {}
      disconnect() {}
    },
  );
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(100);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(260);
  render(
    <ScrollBox label="Shares" className="window">
      text
    </ScrollBox>,
  );
  const shares = screen.getByRole("group", { name: "Shares" });
  const fill = (px: number) => {
    height.mockReturnValue(px);
    act(() => observers.forEach((measure) => measure()));
  };
  expect(shares.hasAttribute("tabindex")).toBe(false);
  fill(1_200);
  expect(shares.tabIndex).toBe(0);
  fill(100);
  expect(shares.hasAttribute("tabindex")).toBe(false);
});
