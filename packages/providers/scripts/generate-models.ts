/**
 * Writes src/models/models.json: the models that a new channel of each type is offered. Run it after a change of model-sources.ts
 * or vendor-prices.json, and after an update of @pydantic/genai-prices: `node packages/providers/scripts/generate-models.ts`.
 */
import { writeFileSync } from "node:fs";
import { offeredModels } from "../src/prices/offered-models.ts";

const text = `${JSON.stringify(offeredModels(), undefined, 2)}\n`;
writeFileSync(new URL("../src/models/models.json", import.meta.url), text);
