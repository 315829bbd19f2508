import { type Call, type Endpoint, json } from "../call.ts";
import { pictureUrls } from "./picture-store.ts";
import type { JsonObject } from "../json-fields.ts";
import { readModel } from "../read-model.ts";
import { refuse } from "../refusal.ts";

export const CREATED_AT_SECONDS = 1_762_000_000;

interface DrawingTable {
  /** Documented fields besides model and prompt, separated by spaces; others are refused. */
  readonly fields: string;
  readonly isModelInPath?: true;
  /** Requested number of pictures; default 1. Throws RequestRefused above the vendor's maximum. */
  readonly count?: (body: JsonObject) => number;
  readonly answer: (urls: readonly string[], call: Call) => object;
}

export function drawing({ fields, isModelInPath, count = () => 1, answer }: DrawingTable): Endpoint {
  const known = new Set(["model", "prompt", ...fields.split(" ")]);
  return (call) => {
    const { body } = call;
    if (isModelInPath !== true) readModel(call);
    const foreign = Object.keys(body).find((name) => !known.has(name));
    if (foreign !== undefined) refuse(`${foreign}: unknown parameter`);
    if (typeof body["prompt"] !== "string" || body["prompt"] === "") refuse("prompt is required");
    return json(answer(pictureUrls(call, count(body)), call));
  };
}
