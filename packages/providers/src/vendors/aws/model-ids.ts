/** Older models by One API's names; they are called in the region itself. */
const OLDER: ReadonlyMap<string, string> = new Map([
  ["claude-instant-1.2", "anthropic.claude-instant-v1"],
  ["claude-2.0", "anthropic.claude-v2"],
  ["claude-2.1", "anthropic.claude-v2:1"],
  ["claude-3-haiku-20240307", "anthropic.claude-3-haiku-20240307-v1:0"],
  ["claude-3-sonnet-20240229", "anthropic.claude-3-sonnet-20240229-v1:0"],
  ["claude-3-opus-20240229", "anthropic.claude-3-opus-20240229-v1:0"],
  ["claude-3-5-sonnet-20240620", "anthropic.claude-3-5-sonnet-20240620-v1:0"],
  ["claude-3-5-sonnet-20241022", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
  ["claude-3-5-sonnet-latest", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
  ["claude-3-5-haiku-20241022", "anthropic.claude-3-5-haiku-20241022-v1:0"],
  ["llama3-8b-8192", "meta.llama3-8b-instruct-v1:0"],
  ["llama3-70b-8192", "meta.llama3-70b-instruct-v1:0"],
]);

/** Claude models that need an inference profile and whose ids differ from their names. Newer ids are the names. */
const DATED: ReadonlyMap<string, string> = new Map([
  ["claude-3-7-sonnet", "claude-3-7-sonnet-20250219-v1:0"],
  ["claude-sonnet-4", "claude-sonnet-4-20250514-v1:0"],
  ["claude-opus-4", "claude-opus-4-20250514-v1:0"],
  ["claude-opus-4-1", "claude-opus-4-1-20250805-v1:0"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929-v1:0"],
  ["claude-haiku-4-5", "claude-haiku-4-5-20251001-v1:0"],
  ["claude-opus-4-5", "claude-opus-4-5-20251101-v1:0"],
  ["claude-opus-4-6", "claude-opus-4-6-v1"],
]);

/** Models older than the profiles for single countries; only the first has a global profile. */
const EARLIER = /^claude-(?:sonnet-4|opus-4(?:-1)?|3-7-sonnet)$/;

/**
 * Returns Bedrock's id of a model named as by Anthropic or One API. Newer Claude models use the inference profile of the region's geography,
 * so that data stays there, or the global one without such a profile. Other names are ids, profiles or ARNs already. Source:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
 */
export function bedrockModelId(model: string, region: string): string {
  const older = OLDER.get(model);
  if (older !== undefined) return older;
  if (!model.startsWith("claude-")) return model;
  const family = model.replace(/-(?:\d{8}|latest|0)$/, "");
  return `${placeOf(family, region)}.anthropic.${DATED.get(family) ?? model}`;
}

function placeOf(family: string, region: string): string {
  const [place = ""] = /^(?:us-gov|us|eu)(?=-)/.exec(region) ?? [];
  if (place !== "") return place;
  if (EARLIER.test(family)) return region.startsWith("ap-") ? "apac" : family === "claude-sonnet-4" ? "global" : "us";
  if (/^ap-northeast-[13]$/.test(region)) return "jp";
  return /^ap-southeast-[24]$/.test(region) ? "au" : "global";
}
