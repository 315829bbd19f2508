import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { contentText, inputTexts } from "../../../stub-kit/prompt.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";

const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;

/** Flags an input for each category whose name it contains, such as "violence". */
export function moderations(call: Call): Reply {
  const { body, id } = call;
  const texts = moderatedTexts(body["input"]);
  if (texts.length === 0)
    throw new RequestRefused(400, openAiErrorBody("'input' cannot be empty.", { param: "input" }));
  const asked = typeof body["model"] === "string" ? body["model"] : "omni-moderation-latest";
  return json({ id: `modr-${id}`, model: asked, results: texts.map(judge) });
}

/** Strings are separate inputs; a list of text and image parts is one input. */
function moderatedTexts(input: unknown): string[] {
  const isListOfParts = Array.isArray(input) && input.some((item) => typeof item === "object");
  return isListOfParts ? [contentText(input)] : inputTexts(input);
}

function judge(text: string): object {
  const lowerCase = text.toLowerCase();
  const names = categories.map((name) => ({ name, isFlagged: lowerCase.includes(name) }));
  return {
    flagged: names.some(({ isFlagged }) => isFlagged),
    categories: Object.fromEntries(names.map(({ name, isFlagged }) => [name, isFlagged])),
    category_scores: Object.fromEntries(names.map(({ name, isFlagged }) => [name, isFlagged ? 0.98 : 0.0001])),
    category_applied_input_types: Object.fromEntries(names.map(({ name }) => [name, ["text"]])),
  };
}
