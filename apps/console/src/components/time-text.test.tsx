import { act, fireEvent, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { formatTime, formatZone } from "../lib/format.ts";
import { renderPage } from "../testing/render-page.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { TimeText } from "./time-text.tsx";

test("a time says how long ago it was and in which zone it stands, as of when one points at it", async () => {
  const time = 1_790_000_000;
  vi.useFakeTimers({ toFake: ["Date"], now: (time + 2 * 3_600) * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  await renderPage(<TimeText time={time} />);
  const shown = await screen.findByText(formatTime(time));
  vi.setSystemTime((time + 3 * 3_600) * 1_000);
  fireEvent.pointerEnter(shown);
  expect(shown.title).toBe(`3 hours ago · ${formatZone(time)}`);
});

test("what no calendar has breaks no page", async () => {
  await renderPage(<TimeText time={Number.MAX_SAFE_INTEGER} never="never" />);
  expect(await screen.findByText("never")).toBeDefined();
});

test("[CONST-16] a relative time moves on by itself, with the exact one and its zone on hover; an old one is exact", async () => {
  const time = 1_790_000_000;
  vi.useFakeTimers({ shouldAdvanceTime: true, now: (time + 44) * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  await renderPage(
    <>
      <RelativeTime time={time} />
      <RelativeTime time={time - 31 * 86_400} />
      <RelativeTime time={time - 60} hasClock />
    </>,
  );
  const shown = await screen.findByText("44s ago");
  expect(shown.title).toBe(`${formatTime(time)} ${formatZone(time)}`);
  expect(screen.getByText(formatTime(time - 31 * 86_400))).toBeDefined();
  const [, clock = ""] = formatTime(time - 60).split(" ");
  expect(screen.getByTitle(new RegExp(clock)).textContent).toBe(`1m ago · ${clock.slice(0, "HH:MM".length)}`);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(shown.textContent).toBe("1m ago");
});
