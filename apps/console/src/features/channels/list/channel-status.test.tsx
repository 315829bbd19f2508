import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { formatTime } from "../../../lib/format.ts";
import { changeLanguage } from "../../../lib/i18n/i18n.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { sampleChannel } from "../testing/sample-channel.ts";
import { ChannelStatus } from "./channel-status.tsx";

const AWAKE = 1_900_000_000;

test.each([
  [1, "Enabled"],
  [2, "Manually disabled"],
  [3, "Automatically disabled"],
  [4, "Dormant"],
  [5, "Pending activation"],
  [9, "Unknown"],
])("[CHSTATE-01..07] status %i reads %s", async (status, text) => {
  await renderPage(<ChannelStatus channel={sampleChannel({ status })} />, { texts: ["channels"] });
  expect(await screen.findByText(text)).toBeTruthy();
});

test("[CHSTATE-05] a dormant channel shows when it wakes", async () => {
  await renderPage(<ChannelStatus channel={sampleChannel({ status: 4, awake_time: AWAKE })} />, {
    texts: ["channels"],
  });
  expect(await screen.findByText(formatTime(AWAKE))).toBeTruthy();
});

test("[CHSTATE-19] an enabled channel says which of its models sleep, and until when", async () => {
  const channel = sampleChannel({ sleeping_models: [{ model: "gpt-4o", awake_time: AWAKE }] });
  await renderPage(<ChannelStatus channel={channel} />, { texts: ["channels"] });
  await userEvent.click(await screen.findByRole("button", { name: "1 model paused" }));
  expect(await screen.findByText("gpt-4o")).toBeTruthy();
  expect(screen.getByText(formatTime(AWAKE))).toBeTruthy();
});

test("a channel names refused keys while others serve, and a secret that cannot be decrypted", async () => {
  const balances = { known_balances: 0, unknown_balances: 2, known_balance: 0 };
  const channel = sampleChannel({ keys: { total: 3, enabled: 2, refused: 1, ...balances }, is_unreadable: true });
  await renderPage(<ChannelStatus channel={channel} />, { texts: ["channels"] });
  expect(await screen.findByRole("button", { name: "1 of 3 keys disabled" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Secret unreadable" }));
  expect(await screen.findByText(/Enter its key again/)).toBeTruthy();
});

test("an automatically disabled channel says why", async () => {
  await renderPage(<ChannelStatus channel={sampleChannel({ status: 3, status_reason: "401 wrong key" })} />, {
    texts: ["channels"],
  });
  await userEvent.click(await screen.findByRole("button", { name: "Why?" }));
  expect(await screen.findByText("401 wrong key")).toBeTruthy();
});

test("a refused key is said at once, while the channel still serves, with what to do", async () => {
  const hint = { code: "key-refused" as const, message: "401 Incorrect API key", at: AWAKE };
  await renderPage(<ChannelStatus channel={sampleChannel({ status_hint: hint })} />, {
    texts: ["channels"],
  });
  expect(screen.getByText("Enabled")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "Key rejected" }));
  expect(await screen.findByText(/enter a valid key/)).toBeTruthy();
  expect(screen.getByText("401 Incorrect API key")).toBeTruthy();
});

test("how much was spent of the limit is said in the reader's language", async () => {
  const message = "It spent $3.01 of its $3 limit.";
  const hint = { code: "spending-limit" as const, message, parts: { used: 3.01, limit: 3 }, at: AWAKE };
  await changeLanguage("zh-CN");
  try {
    await renderPage(<ChannelStatus channel={sampleChannel({ status: 3, status_hint: hint })} />, {
      texts: ["channels"],
    });
    await userEvent.click(await screen.findByRole("button", { name: "已达消费上限" }));
    expect(await screen.findByText("已消费 $3.01，上限为 $3.00。")).toBeTruthy();
    expect(screen.queryByText(message)).toBeNull();
  } finally {
    await changeLanguage("en");
  }
});
