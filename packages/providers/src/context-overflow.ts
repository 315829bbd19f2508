export interface ContextOverflow {
  readonly tokens: number | undefined;
  readonly limit: number | undefined;
}

/**
 * Codes and types of refusals that mean an overflow, lower-case. Sources: OpenAI's error codes, llama.cpp's server, and the list below for
 * Baidu and Zhipu.
 */
const CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "model_context_window_exceeded",
  "exceed_context_size_error",
  // https://cloud.baidu.com/doc/qianfan-api/s/rmwbl43x7
  "tokens_too_long",
  "characters_too_long",
  // https://docs.bigmodel.cn/cn/api/api-code
  "1261",
]);

/**
 * Messages of providers without a code for an overflow. Numbers are in the groups `tokens` and `limit`. None matches a rate limit, whose
 * messages count tokens per minute.
 */
const SENTENCES: readonly RegExp[] = [
  // OpenAI, Azure, DeepSeek, vLLM, OpenRouter. The size of the request follows in a second sentence, or after "passed".
  /maximum context length is (?<limit>[\d,]+)(?: tokens| characters)?(?:.*?(?:resulted in|you requested|requested about|request(?:ed)? has|contains at least|contains) (?:about )?(?<tokens>[\d,]+))?/i,
  // OpenAI's Responses API; Cloudflare, MiniMax.
  /exceeds? (?:the|this model'?s?|model|the model'?s?) context (?:window|length|size)/i,
  /\((?<tokens>[\d,]+)\) exceeded this model context window limit \((?<limit>[\d,]+)\)/i,
  /context window exceeds limit|exceeded this model context window/i,
  // Anthropic.
  /prompt is too long(?:: (?<tokens>[\d,]+) tokens? > (?<limit>[\d,]+) maximum)?/i,
  /input length and `?max_tokens`? exceed context limit(?:: \d+ \+ \d+ > (?<limit>[\d,]+))?/i,
  // Google.
  /input token count(?: is)? ?\(?(?<tokens>[\d,]+)?\)? (?:but .*|exceeds )the (?:maximum|model).*?tokens? (?:allowed|limit)?(?: ?\(?(?<limit>[\d,]+)\)?)?/i,
  // Amazon Bedrock.
  /input is too long for requested model|too many input tokens|exceeds the (?:model'?s )?maximum (?:context|input) (?:length|tokens)/i,
  // xAI, Mistral.
  /maximum prompt length is (?<limit>[\d,]+)(?: but the request contains (?<tokens>[\d,]+))?/i,
  /prompt contains (?<tokens>[\d,]+) tokens.*?too large for model with (?<limit>[\d,]+) maximum context/i,
  // Groq, Cerebras.
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  // Cohere. The same words begin a refusal of `max_tokens`, which a shorter prompt does not fix. Source: https://docs.cohere.com/reference/errors
  /too many tokens: (?!max tokens)(?:.*?(?:cannot exceed|limit of) (?<limit>[\d,]+)(?: - received (?<tokens>[\d,]+))?)?/i,
  // Alibaba Model Studio.
  /range of input length should be \[\d+, ?(?<limit>[\d,]+)\]/i,
  // Moonshot, SiliconFlow.
  /exceeded model token limit(?:: (?<limit>[\d,]+))?(?: \(requested: (?<tokens>[\d,]+)\))?/i,
  /length of prompt_tokens \((?<tokens>[\d,]+)\) must be less than max_seq_len \((?<limit>[\d,]+)\)/i,
  // SGLang, llama.cpp, LM Studio, Ollama, text-generation-inference.
  /\((?<tokens>[\d,]+) tokens\) is longer than the model'?s context length(?: \((?<limit>[\d,]+)\s*tokens\))?/i,
  /(?:\((?<tokens>[\d,]+) tokens\) )?exceeds the available context size(?: \((?<limit>[\d,]+) tokens\))?/i,
  /greater than the context length|context size has been exceeded/i,
  /prompt (?:is )?too long|input length exceeds (?:the )?(?:maximum )?context length/i,
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>[\d,]+)(?:.*?given: (?<tokens>[\d,]+))?/i,
  // Baidu, Zhipu, iFlytek, Tencent.
  /prompt tokens too long|prompt 超长|token数量超过上限|输入长度超过|超(?:过|出).{0,10}(?:最大)?上下文/i,
  // Any provider, without numbers.
  /maximum context length|context length exceeded/i,
];

/** vLLM refuses a limit of the answer with the message of an overflow, although a shorter prompt does not help. */
const ABOUT_ANSWER = /^[`']?max_(?:completion_|output_)?tokens/i;

export function findOverflow(refusal: {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}): ContextOverflow | undefined {
  const { code, type, message } = refusal;
  for (const sentence of ABOUT_ANSWER.test(message) ? [] : SENTENCES) {
    const found = sentence.exec(message);
    if (found === null) continue;
    const { groups = {} } = found;
    const [tokens, limit] = [readNumber(groups.tokens), readNumber(groups.limit)];
    // A number up to the limit counts something else.
    const isWhole = tokens !== undefined && (limit === undefined || tokens > limit);
    return { tokens: isWhole ? tokens : undefined, limit };
  }
  if (!CODES.has(code.toLowerCase()) && !CODES.has(type.toLowerCase())) return undefined;
  return { tokens: undefined, limit: undefined };
}

function readNumber(digits: string | undefined): number | undefined {
  const number = Number(digits?.replaceAll(",", "") || Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
