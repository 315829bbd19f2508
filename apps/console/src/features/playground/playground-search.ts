import type { RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf, integerOf, textOf } from "../../lib/values/read-values.ts";

/** Efforts that every reasoning model accepts. */
export const EFFORTS = ["low", "medium", "high"] as const;

/** Parameters of the answers; absent ones are the provider's defaults. */
export interface ChatOptions {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly json?: boolean | undefined;
  readonly effort?: (typeof EFFORTS)[number] | undefined;
}

/** State of the page in its address, without keys, prompts and tools. */
export interface PlaygroundSearch extends ChatOptions {
  readonly token?: number | undefined;
  readonly model?: string | undefined;
  /** The model beside it. */
  readonly versus?: string | undefined;
  /** Id of the log entry whose request is to be asked again. */
  readonly replay?: number | undefined;
}

export const MOST = { temperature: 2, top_p: 1, max_tokens: 1_000_000 } as const;

function numberOf(value: unknown, most: number): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return number >= 0 && number <= most ? number : undefined;
}

/** Reads the page's state from its address, ignoring invalid values. */
export function readPlaygroundSearch(search: RawSearch): PlaygroundSearch {
  const { token, model, versus, temperature, top_p, max_tokens, json, effort, replay } = search;
  return {
    token: integerOf(token, { least: 1 }),
    model: textOf(model, { most: 256 }),
    versus: textOf(versus, { most: 256 }),
    temperature: numberOf(temperature, MOST.temperature),
    top_p: numberOf(top_p, MOST.top_p),
    max_tokens: integerOf(max_tokens, { least: 1, most: MOST.max_tokens }),
    json: json === true || json === "true" ? true : undefined,
    effort: choiceOf(effort, EFFORTS),
    replay: integerOf(replay, { least: 1 }),
  };
}
