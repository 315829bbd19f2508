import { expect, test } from "vitest";
import { toastEdge } from "./toast-edge.ts";

const box = (top: number, height: number, left = 0, width = 360) => ({
  top,
  bottom: top + height,
  left,
  right: left + width,
});
const toasts = box(700, 100, 1_000, 400);

test.each([
  ["nothing is there", "bottom", [], 16],
  ["a pager at the foot", "bottom", [box(840, 32, 250, 1_150)], 68],
  ["a pager far above", "bottom", [box(500, 32, 250, 1_150)], 16],
  ["a pager beside the toasts", "bottom", [box(840, 32, 0, 900)], 16],
  ["a pager below the window", "bottom", [box(900, 32, 250, 1_150)], 16],
  ["a pager and a bar below it", "bottom", [box(760, 32, 250, 1_150), box(850, 50, 250, 1_150)], 148],
  ["a pager that leaves room below it", "bottom", [box(700, 32, 250, 1_150), box(880, 20, 250, 1_150)], 28],
  ["a hidden pager", "bottom", [box(840, 0, 250, 1_150)], 16],
  ["a pager at the head", "top", [box(60, 32, 250, 1_150)], 100],
  ["a pager at the foot, toasts at the head", "top", [box(840, 32, 250, 1_150)], 16],
] as const)("%s", (_name, side, controls, edge) => {
  expect(toastEdge({ side, windowHeight: 900, toasts, controls })).toBe(edge);
});
