import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_USAGE } from "@one-api/providers/usage";
import { affordableCompletion, chargeUpperBound } from "./charge-upper-bound.ts";
import { computeCharge } from "./compute-charge.ts";
import { priceModel } from "./price-model.ts";

const tiers = { flex: 0.5, priority: 9 };
const prices = () => new Map([["m", [{ input: 2, output: 2, tiers, steps: [{ above: 50, input: 4, output: 4 }] }]]]);
const ofModel = priceModel(
  { ratios: () => new Map<string, number>(), prices },
  { model: "m", type: 1, group: "default", endpoint: "chat-completions" },
);
const counted = { ...NO_USAGE, promptTokens: 100, completionTokens: 100 };
const bound = {
  promptTokens: 100,
  audioPromptTokens: 0,
  hasImages: false,
  completionTokens: 100,
  wantsAudio: false,
  priceFactor: 1,
  toolFees: 0,
};

it("the charge has the model's own factor of a tier, for long prompts too", () => {
  assert.equal(computeCharge(counted, ofModel), 400);
  assert.equal(computeCharge({ ...counted, tier: "priority", priceFactor: 2.5 }, ofModel), 3_600);
  assert.equal(computeCharge({ ...counted, tier: "flex", priceFactor: 1 }, ofModel), 200);
});

it("a tier without an own factor has that of the provider", () => {
  assert.equal(computeCharge({ ...counted, tier: "ultrafast", priceFactor: 6 }, ofModel), 2_400);
});

it("the reservation of a request that names a tier covers the dearest own factor", () => {
  const named = { ...bound, namesTier: true };
  const most = chargeUpperBound(named, [ofModel]);
  assert.ok(most >= 3_600, `${most}`);
  assert.ok(chargeUpperBound(bound, [ofModel]) < 1_000);
  const completionTokens = affordableCompletion({ ...named, completionTokens: 0 }, most, [ofModel]);
  assert.ok(chargeUpperBound({ ...named, completionTokens }, [ofModel]) <= most && completionTokens >= 90);
});
