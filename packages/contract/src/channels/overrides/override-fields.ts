/**
 * Effect of a request field on its charge:
 *
 * | effect   | meaning                                                                     |
 * |----------|-----------------------------------------------------------------------------|
 * | free     | no effect on the charge beyond the tokens that the provider reports         |
 * | limit    | limits the completion                                                       |
 * | thinking | a budget of thoughts beside that limit                                      |
 * | tier     | chooses a tier, speed or place with its own price; at the top of a body     |
 * | refused  | decides route or price in another way, or belongs to the gateway            |
 */
type FieldEffect = "free" | "limit" | "thinking" | "tier" | "refused";

/** Spelling under which names of fields are compared: `maxOutputTokens` and `max_output_tokens` are one. */
export function normalName(name: string): string {
  // Upper case first: some non-ASCII letters become ASCII only that way.
  return name.toUpperCase().toLowerCase().replaceAll(/[_-]/g, "");
}

const LIMITS: ReadonlySet<string> = new Set([
  "maxtokens",
  "maxcompletiontokens",
  "maxoutputtokens",
  "maxnewtokens",
  "maxtokenstosample",
  "maxgenlen",
  "maxlength",
  "npredict",
  "numpredict",
]);
const THINKING: ReadonlySet<string> = new Set(["thinkingbudget", "budgettokens", "thinkingtokenbudget"]);
/** A limit below one of these is a budget of thoughts. */
const THOUGHTS: ReadonlySet<string> = new Set(["reasoning", "thinking", "thinkingconfig", "reasoningconfig"]);
const TIERS: ReadonlySet<string> = new Set(["servicetier", "speed", "inferencegeo"]);

/** Objects that hold limits in some formats: without one of them a request may have no limit. */
const LIMIT_HOLDERS: ReadonlySet<string> = new Set([
  "additionalmodelrequestfields",
  "config",
  "extrabody",
  "generationconfig",
  "inferenceconfig",
  "options",
  "parameters",
]);

/** True for an object whose removal or replacement may remove a limit. */
export function mayHoldLimit(name: string): boolean {
  return LIMIT_HOLDERS.has(normalName(name));
}

const FREE_CONTENT: ReadonlySet<string> = new Set([
  "instructions",
  "jsonschema",
  "labels",
  "logitbias",
  "metadata",
  "responseformat",
  "responsejsonschema",
  "responseschema",
  "schema",
]);

const REFUSED: ReadonlySet<string> = new Set([
  // Model, stream and the gateway's own accounting.
  "model",
  "models",
  "fallbacks",
  "contextwindowfallbacks",
  "contentpolicyfallbacks",
  "advisor",
  "preset",
  "route",
  "stream",
  "streamoptions",
  "background",
  // Content, which the reservation is made for.
  "messages",
  "input",
  "inputs",
  "prompt",
  "system",
  "contents",
  "systeminstruction",
  "content",
  "requests",
  "generatecontentrequest",
  "prediction",
  // Content that a provider stores or fetches.
  "thread",
  "previousmessageid",
  "previousresponseid",
  "conversation",
  "container",
  "mcpservers",
  "documents",
  "cachedcontent",
  "datasources",
  "contextmanagement",
  // Searches and tools with fees of their own.
  "websearchoptions",
  "searchparameters",
  "plugins",
  "enablesearch",
  "websearch",
  "searchoptions",
  "enableenhancement",
  "forcesearchenhancement",
  "tools",
  "functions",
  "query",
  // Several answers, and media.
  "n",
  "bestof",
  "candidatecount",
  "numgenerations",
  "numoutputs",
  "numimages",
  "modalities",
  "responsemodalities",
  "audio",
  "image",
  "images",
  "imageconfig",
  "mask",
  "size",
  "quality",
  "outputformat",
  "partialimages",
  "framecount",
  // Dearer hosts and machines.
  "provideroptions",
  "performanceconfig",
]);

/** Fields of OpenRouter's routing that cannot choose a dearer host. Source: https://openrouter.ai/docs/features/provider-routing */
export const FAIR_ROUTING: ReadonlySet<string> = new Set([
  "data_collection",
  "zdr",
  "require_parameters",
  "allow_fallbacks",
  "max_price",
  "enforce_distillable_text",
]);

export interface ConcernedField {
  /** Its path with dots. */
  readonly name: string;
  readonly effect: FieldEffect;
  /** False for a part of the path above the field. */
  readonly isWhole: boolean;
  readonly value: unknown;
}

/** Returns the fields that a value at a path concerns: those on the path, and those within the value. */
export function concernedFields(path: readonly string[], value: unknown): readonly ConcernedField[] {
  const found: ConcernedField[] = [];
  walk(path, [], value, found);
  return found;
}

function walk(ahead: readonly string[], behind: readonly string[], value: unknown, found: ConcernedField[]): void {
  const [next, ...rest] = ahead;
  if (next !== undefined) {
    const path = [...behind, next];
    const isWhole = rest.length === 0;
    found.push({ name: path.join("."), effect: effectOf(path), isWhole, value: isWhole ? value : undefined });
    if (!FREE_CONTENT.has(normalName(next))) walk(rest, path, value, found);
  } else if (Array.isArray(value)) {
    for (const item of value) walk([], behind, item, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) walk([name], behind, inner, found);
  }
}

function effectOf(path: readonly string[]): FieldEffect {
  const names = path.map(normalName);
  const name = names.at(-1) ?? "";
  if (names[0] === "provider") return isFairRouting(path) ? "free" : "refused";
  if (REFUSED.has(name)) return "refused";
  if (TIERS.has(name)) return path.length === 1 ? "tier" : "refused";
  if (THINKING.has(name)) return "thinking";
  if (LIMITS.has(name)) return names.slice(0, -1).some((outer) => THOUGHTS.has(outer)) ? "thinking" : "limit";
  return "free";
}

function isFairRouting([, field, ...deeper]: readonly string[]): boolean {
  return field === undefined || FAIR_ROUTING.has(field) || (deeper.length > 0 && FAIR_ROUTING.has(field));
}
