import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { contentText, inputTexts } from "../../../stub-kit/prompt.ts";
import { refuse } from "../../../stub-kit/refusal.ts";

const categories = `harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm
  self-harm/instructions self-harm/intent sexual sexual/minors violence violence/graphic`.split(/\s+/);

/** Flags an input for each category whose name it contains, such as "violence". */
export function moderations(call: Call): Reply {
  const { body, id } = call;
  const texts = moderatedTexts(body["input"]);
  if (texts.length === 0) refuse("'input' cannot be empty.", { param: "input" });
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
  const flagged = new Set(categories.filter((name) => lowerCase.includes(name)));
  const each = (value: (name: string) => unknown) => Object.fromEntries(categories.map((name) => [name, value(name)]));
  return {
    flagged: flagged.size > 0,
    categories: each((name) => flagged.has(name)),
    category_scores: each((name) => (flagged.has(name) ? 0.98 : 0.0001)),
    category_applied_input_types: each(() => ["text"]),
  };
}
