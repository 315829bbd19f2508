/** Models that OpenAI serves itself; `gpt-oss` runs anywhere. Source: https://platform.openai.com/docs/models */
const OWN_MODEL = /^(?:openai\/)?(?:ft:)?(?:gpt-\d|chatgpt-|o\d|codex-|computer-use)/;

export function isOwnModelOfOpenAi(model: string): boolean {
  return OWN_MODEL.test(model);
}
