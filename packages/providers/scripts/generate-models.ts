/**
 * Writes src/models/models.json: the models that a new channel of each type is offered. Run it after a change of model-sources.ts or an
 * update of @pydantic/genai-prices: `node packages/providers/scripts/generate-models.ts`.
 */
import { writeFileSync } from "node:fs";
import { modelSources } from "../src/models/model-sources.ts";
import { offeredModels } from "../src/models/offered-models.ts";

const lists = Object.entries(modelSources)
  .map(([name, source]) => [name, offeredModels(source)] as const)
  .filter(([, models]) => models.length > 0);
writeFileSync(
  new URL("../src/models/models.json", import.meta.url),
  `${JSON.stringify(Object.fromEntries(lists), undefined, 2)}\n`,
);
