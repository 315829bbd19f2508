import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Sparkline } from "./sparkline.tsx";

function lineOf(values: readonly (number | null)[]): string | null | undefined {
  const { container, unmount } = render(<Sparkline values={values} label="Requests of 24 hours" />);
  expect(screen.getByRole("img", { name: "Requests of 24 hours" })).toBeTruthy();
  const points = container.querySelector("polyline")?.getAttribute("points");
  unmount();
  return points;
}

test("a sparkline runs from left to right over a scale that starts at 0", () => {
  expect(lineOf([0, 10, 5])).toBe("0,22.5 50,1.5 100,12");
  expect(lineOf([-10, 10])).toBe("0,22.5 100,1.5");
});

test("one value, equal values and none are drawn, too", () => {
  expect(lineOf([4])).toBe("0,1.5 100,1.5");
  expect(lineOf([0, 0])).toBe("0,22.5 100,22.5");
  expect(lineOf([])).toBeUndefined();
});

test("an unknown value is no drop to 0: the line goes on to the next one", () => {
  expect(lineOf([10, null, 5])).toBe("0,1.5 100,12");
  expect(lineOf([null, 10, null])).toBe("0,1.5 50,1.5 100,1.5");
  expect(lineOf([null, 10, 5, null, null])).toBe("0,1.5 25,1.5 50,12 100,12");
});
