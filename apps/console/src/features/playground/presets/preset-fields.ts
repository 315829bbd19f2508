import type { ViewFields } from "../../views/view-queries.ts";
import { setFieldsOf } from "../../views/view-queries.ts";
import type { PlaygroundSearch } from "../playground-search.ts";
import { readPlaygroundSearch } from "../playground-search.ts";

/** What a preset holds: models, parameters, system prompt and tools. Never a token, a message or an answer. */
export interface Preset {
  readonly search: PlaygroundSearch;
  readonly system: string;
  readonly tools: string;
}

const textAt = (value: unknown) => (Array.isArray(value) ? value.join("\n") : typeof value === "string" ? value : "");

/** Reads a preset from the fields of a saved view, ignoring invalid values. */
export function readPreset(fields: Readonly<Record<string, unknown>>): Preset {
  const search = { ...readPlaygroundSearch(fields), token: undefined, replay: undefined };
  return { search, system: textAt(fields["system"]), tools: textAt(fields["tools"]) };
}

/** The set fields of a preset, as a saved view has them. */
export function fieldsOfPreset({ search, system, tools }: Preset): ViewFields {
  const { token: _token, replay: _replay, json, ...rest } = search;
  const texts = { system: system.trim(), tools: tools.trim() };
  const set = Object.entries(texts).filter(([, text]) => text !== "");
  return setFieldsOf({ ...rest, json: json === true ? "true" : undefined, ...Object.fromEntries(set) });
}

/** Reads the fields of a saved view, for comparison with the present ones. */
export const readPresetFields = (fields: Readonly<Record<string, unknown>>) => fieldsOfPreset(readPreset(fields));
