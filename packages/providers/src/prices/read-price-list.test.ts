import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { waitForUpdate } from "@pydantic/genai-prices";
import { defaultPrice, priceAt } from "./default-price.ts";
import { BUILT_IN_PRICE_LIST, usePriceList } from "./price-list.ts";
import { readPriceList } from "./read-price-list.ts";

const now = new Date("2026-11-22T00:00:00Z");

const model = (more: object) => ({
  id: "m",
  match: { equals: "m" },
  prices: { input_mtok: 1, output_mtok: 2 },
  ...more,
});
const listOf = (...models: object[]) => [{ id: "openai", models }];

describe("a newer price list", () => {
  afterEach(() => usePriceList(BUILT_IN_PRICE_LIST));

  it("gives every model the built-in price when it is the same list", async () => {
    const published: unknown = JSON.parse(JSON.stringify(await waitForUpdate()));
    const { list } = await readPriceList(published);
    assert.equal(list.modelCount, BUILT_IN_PRICE_LIST.modelCount);
    for (const name of [
      "gpt-4o",
      "gpt-5.4",
      "o3",
      "claude-opus-4-5-20251101",
      "deepseek-chat",
      "gemini-3.8-flash",
      "x/y",
    ])
      assert.deepEqual(priceAt(list, name, undefined, now), priceAt(BUILT_IN_PRICE_LIST, name, undefined, now), name);
  });

  it("sets prices only after it is in use", async () => {
    const { list } = await readPriceList(listOf(model({ id: "gpt-4o", match: { starts_with: "GPT-4o" } })));
    assert.equal(defaultPrice("gpt-4o", 1, now)?.input, "2.5");
    assert.equal(priceAt(list, "gpt-4o", 1, now)?.input, "1");
    usePriceList(list);
    assert.deepEqual([defaultPrice("gpt-4o", 1, now)?.input, defaultPrice("gpt-4o", 1, now)?.output], ["1", "2"]);
    usePriceList(BUILT_IN_PRICE_LIST);
    assert.equal(defaultPrice("gpt-4o", 1, now)?.input, "2.5");
  });

  it("accepts every rule of names, both forms of days, and another provider's list", async () => {
    const { list } = await readPriceList([
      {
        id: "openai",
        fallback_model_providers: ["b"],
        models: [model({ match: { and: [{ contains: "x" }, { ends_with: "-z" }] } })],
      },
      {
        id: "b",
        models: [
          model({ id: "dated", match: { equals: "y-2026-01-02" } }),
          model({ id: "r", match: { regex: "^r-\\d+$" } }),
        ],
      },
    ]);
    const idOf = (name: string) => list.find("openai", name)?.model.id;
    assert.deepEqual(["AXE-Z", "y-20260102", "r-12", "r-12b", "axe"].map(idOf), [
      "m",
      "dated",
      "r",
      undefined,
      undefined,
    ]);
  });

  it("is refused when invalid, with the path of the error", async () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{}, /no model with a price/],
      [[], />=1|at least 1|Too small/],
      [listOf(model({ prices: { input_mtok: -1 } })), /prices/],
      [listOf(model({ prices: { input_mtok: 2e6 } })), /prices/],
      [listOf(model({ prices: [] })), /prices/],
      [listOf(model({ match: { regex: "^(?<!a)b" } })), /match/],
      [listOf(model({ match: { regex: "(" } })), /match/],
      [
        listOf(model({ match: { or: Array.from({ length: 400 }, () => ({ equals: "n".repeat(300) })) } })),
        /longer than/,
      ],
      [
        listOf(
          ...Array.from({ length: 3 }, () =>
            model({ match: { or: Array.from({ length: 400 }, () => ({ regex: "^abcdefghij" })) } }),
          ),
        ),
        /patterns/,
      ],
      [listOf(model({ match: {} })), /match/],
      [listOf(model({ id: "" })), /id/],
      [listOf(model({ prices: [{ constraint: { start_date: "soon" }, prices: {} }] })), /prices/],
    ];
    for (const [data, place] of wrong) await assert.rejects(readPriceList(data), place, JSON.stringify(data));
  });

  it("ignores impossible contexts", async () => {
    const windows = [1, 255, 256, 128_000, 100_000_000, 100_000_001, Number.MAX_SAFE_INTEGER];
    const told = windows.map(async (context_window) => {
      const { list } = await readPriceList(listOf(model({ context_window })));
      return list.find("openai", "m")?.model.context_window;
    });
    const known = [256, 128_000, 100_000_000];
    assert.deepEqual(await Promise.all(told), [undefined, undefined, ...known, undefined, undefined]);
  });

  it("names the path of a pattern outside of the grammar, at any depth", async () => {
    const nested = model({ match: { or: [{ equals: "x" }, { and: [{ regex: "(a)\\1" }] }] } });
    await assert.rejects(readPriceList(listOf(model({}), nested)), /models[^]*1[^]*match/);
    let deep: object = { equals: "x" };
    for (let level = 0; level < 2_000; level += 1) deep = { or: [deep] };
    await assert.rejects(readPriceList(listOf(model({ match: deep }))), /match/);
  });

  it("is read in time slices, for any number of models", async () => {
    const models = Array.from({ length: 200 }, (_, index) => model({ id: `m${index}` }));
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    await readPriceList(listOf(...models));
    isRead = true;
    assert.ok(turns >= 20, String(turns));
  });
});
