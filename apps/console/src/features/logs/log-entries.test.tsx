import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../lib/state/session.ts";
import { writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { detail, logIn, logOf, open, resetServed, serve } from "./testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

/** As chosen in the menu of columns. */
const showDetails = () => writeStored(STORAGE_KEY.columns, JSON.stringify({ logs: { details: true } }));

test("the type is a column where an entry is no request of a model", async () => {
  logIn(ROLE.user);
  serve([logOf()]);
  const { unmount } = await open();
  expect(await screen.findByRole("columnheader", { name: "Model" })).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: "Type" })).toBeNull();
  unmount();
  serve([logOf(), logOf({ id: 2, type: 1, model_name: "" })]);
  await open();
  expect(await screen.findByRole("columnheader", { name: "Type" })).toBeTruthy();
});

test("the details say the ratios in short: endless ones with three digits", async () => {
  logIn(ROLE.user);
  showDetails();
  serve([logOf({ detail: { ...detail, charge: { ...detail.charge, completion_ratio: 4.074074074074 } } })]);
  await open();
  expect(await screen.findByText("1.25 × 1 · out 4.07")).toBeTruthy();
});

test("[LOG-13] [LOG-14] [LOG-15] [LOG-16] every type has its name, an unknown one its number", async () => {
  logIn(ROLE.user);
  serve([1, 2, 3, 4, 5, 42].map((type) => logOf({ id: type, type })));
  await open();
  const table = within(await screen.findByRole("table"));
  for (const name of ["Top-up", "Consumption", "Management", "System", "Test", "Unknown type 42"]) {
    expect(await table.findByText(name)).toBeTruthy();
  }
});

test("entries without a request have no result", async () => {
  logIn(ROLE.user);
  serve([logOf({ type: 1, result: "", model_name: "", content: "Redeemed" })]);
  await open();
  const row = within(await screen.findByRole("table"));
  expect(await row.findByText("Redeemed")).toBeTruthy();
  expect(row.queryByText("OK")).toBeNull();
});

test("where only entries without a request are listed, what they say stands in the place of models and tokens", async () => {
  logIn(ROLE.user);
  serve([logOf({ type: 1, result: "", model_name: "", content: "Redeemed" })]);
  await open("/log?type=1");
  const table = within(await screen.findByRole("table"));
  expect(await table.findByText("Redeemed")).toBeTruthy();
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Time",
    "Quota",
    "Details",
  ]);
  expect(screen.queryByRole("region", { name: "Requests over time" })).toBeNull();
});

test("on a narrow screen an entry without a request is what it is and what it says, and no dash", async () => {
  setScreenWidth(360);
  logIn(ROLE.admin);
  serve([logOf({ type: 1, result: "", model_name: "", token_name: "", content: "Redeemed", quota: 500_000 })]);
  await open();
  const [card] = await screen.findAllByRole("listitem");
  expect(card?.textContent).toMatch(/Top-upRedeemed\w*\$1\.00$/);
});

test("on a narrow screen an entry is three lines: time and result, model and token, tokens and price", async () => {
  setScreenWidth(360);
  logIn(ROLE.user);
  serve([logOf({ quota: 500_000 })]);
  await open();
  const [card] = await screen.findAllByRole("listitem");
  expect(card?.textContent).toContain("OKgpt-4omain100 → 20 tokens2.02 s$1.00");
});

test("a call that gives no tokens back has none in the list, and no ratio of them", async () => {
  logIn(ROLE.user);
  showDetails();
  const vectors = { ...detail, input_only: "embeddings" as const };
  serve([logOf({ model_name: "text-embedding-3-small", completion_tokens: 0, detail: vectors })]);
  await open();
  const row = within(await screen.findByRole("row", { name: /text-embedding-3-small/ }));
  expect(row.getByText("1.25 × 1")).toBeTruthy();
  expect(row.queryByText("0")).toBeNull();
});

test("on a narrow screen a call that gives no tokens back is told by those that came in", async () => {
  setScreenWidth(360);
  logIn(ROLE.user);
  serve([logOf({ completion_tokens: 0, quota: 500_000, detail: { ...detail, input_only: "rerank" as const } })]);
  await open();
  const [card] = await screen.findAllByRole("listitem");
  expect(card?.textContent).toContain("main100 tokens2.02 s$1.00");
});

test("a call that is charged by something else than tokens says how much of that it was", async () => {
  logIn(ROLE.user);
  const units = { unit: "second", count: 8 } as const;
  const charged = { ...detail, charge: { ...detail.charge, units } };
  serve([logOf({ model_name: "whisper-1", prompt_tokens: 80, completion_tokens: 7072, detail: charged })]);
  await open();
  const row = await screen.findByRole("row", { name: /whisper-1/ });
  expect(row.textContent).toContain("8 seconds");
  expect(row.textContent).not.toMatch(/7,?072/);
});
