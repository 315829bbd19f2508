/** One API's and Google's names of PaLM 2, whose API Google has switched off. */
const PALM = /^(?:PaLM-2|(?:chat|text|code|codechat)-(?:bison|unicorn)(?:-\d+|@\d+)?)$/i;

/** Replacement of PaLM 2: the smallest of Google's current models. Source: https://ai.google.dev/gemini-api/docs/models */
const SUCCESSOR = "gemini-3.5-flash-lite";

export function withoutPalm(model: string): string {
  return PALM.test(model) ? SUCCESSOR : model;
}
