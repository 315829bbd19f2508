import type { Model } from "@one-api/contract/prices/model";
import { expect, test } from "vitest";
import { compareModels, modelsOfPreset } from "./model-names.ts";

const model = (id: string, output_price: number | null): Model => ({
  id,
  input_price: output_price,
  output_price,
  channels: 0,
  object: "model",
  created: 1,
  owned_by: "custom",
});
const source = { related: ["b"], all: [model("a", 4.99), model("b", 5), model("c", 5.01), model("d", null)] };

test("[CHFORM-19..22] presets go by the type's list and by the price of output tokens", () => {
  expect(modelsOfPreset("related", source)).toEqual(["b"]);
  expect(modelsOfPreset("all", source)).toEqual(["a", "b", "c", "d"]);
  expect(modelsOfPreset("lowTier", source)).toEqual(["a", "b"]);
  expect(modelsOfPreset("highTier", source)).toEqual(["c"]);
});

test("a provider's list is compared with the names that it is asked for", () => {
  const mapping = '{"alias":"real","old":"gone-too"}';
  expect(compareModels(["alias", "kept", "old", "lost"], mapping, ["real", "kept", "fresh"])).toEqual({
    added: ["fresh"],
    gone: ["old", "lost"],
  });
  expect(compareModels(["a"], "not JSON", ["a"])).toEqual({ added: [], gone: [] });
});
