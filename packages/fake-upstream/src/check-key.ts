import { openAiErrorBody, RequestRefused } from "./openai-error.ts";

/** Throws RequestRefused (401) unless the Authorization header carries one of the keys; null accepts any key. */
export function checkKey(authorization: string | undefined, keys: readonly string[] | null): void {
  const key = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (key === undefined) {
    throw new RequestRefused(
      401,
      openAiErrorBody(
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      ),
    );
  }
  if (keys === null || keys.includes(key)) return;
  const shown = `${key.slice(0, 3)}****${key.slice(-4)}`;
  throw new RequestRefused(
    401,
    openAiErrorBody(
      `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: "invalid_api_key" },
    ),
  );
}
