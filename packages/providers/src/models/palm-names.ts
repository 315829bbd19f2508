/** One API's and Google's names of PaLM 2, whose API Google has switched off. */
const PALM = /^(?:PaLM-2|(?:chat|text|code|codechat)-(?:bison|unicorn)(?:-\d+|@\d+)?)$/i;

/** The model that stands in for PaLM 2: the smallest of Google's current ones. Source: https://ai.google.dev/gemini-api/docs/models */
const SUCCESSOR = "gemini-3.5-flash-lite";

/** What is called for a name: another model for those of PaLM 2, else the very same. */
export function withoutPalm(model: string): string {
  return PALM.test(model) ? SUCCESSOR : model;
}
