import { FLAG, fields, byType, listOf, NUMBER, OBJECT, type Shape, TEXT, textOr } from "../../neutral/check-fields.ts";
import { CACHE_MARK } from "../cache-control.ts";

const FUNCTION = fields({ name: TEXT, description: TEXT, parameters: OBJECT, strict: FLAG });
/** Some providers write arguments as an object. */
const CALL = fields({ name: TEXT, arguments: textOr(OBJECT) });

const PART = byType({
  text: { text: TEXT, cache_control: CACHE_MARK },
  refusal: { refusal: TEXT },
  image_url: { image_url: textOr(fields({ url: TEXT, detail: TEXT })), cache_control: CACHE_MARK },
  input_audio: { input_audio: fields({ data: TEXT, format: TEXT }) },
  file: { file: fields({ file_data: TEXT, file_id: TEXT, filename: TEXT }), cache_control: CACHE_MARK },
  thinking: { thinking: textOr(listOf(fields({ text: TEXT }))), signature: TEXT },
});

const MESSAGE = fields({
  content: textOr(listOf(PART)),
  name: TEXT,
  refusal: TEXT,
  reasoning_content: TEXT,
  reasoning: TEXT,
  reasoning_details: listOf(fields({ type: TEXT, text: TEXT, summary: TEXT, data: TEXT, signature: TEXT })),
  tool_call_id: TEXT,
  tool_calls: listOf(fields({ id: TEXT, function: CALL })),
  function_call: CALL,
});

export const REQUEST: Shape = fields({
  messages: listOf(MESSAGE),
  tools: listOf(fields({ type: TEXT, function: FUNCTION, cache_control: CACHE_MARK })),
  functions: listOf(FUNCTION),
  tool_choice: textOr(
    fields({
      type: TEXT,
      name: TEXT,
      function: fields({ name: TEXT }),
      allowed_tools: fields({ mode: TEXT, tools: listOf(OBJECT) }),
    }),
  ),
  function_call: textOr(fields({ name: TEXT })),
  parallel_tool_calls: FLAG,
  max_tokens: NUMBER,
  max_completion_tokens: NUMBER,
  temperature: NUMBER,
  top_p: NUMBER,
  top_k: NUMBER,
  n: NUMBER,
  seed: NUMBER,
  random_seed: NUMBER,
  frequency_penalty: NUMBER,
  presence_penalty: NUMBER,
  logprobs: FLAG,
  top_logprobs: NUMBER,
  stop: textOr(listOf(TEXT)),
  response_format: fields({
    type: TEXT,
    json_schema: fields({ name: TEXT, description: TEXT, schema: OBJECT, strict: FLAG }),
  }),
  reasoning_effort: TEXT,
  reasoning: fields({ effort: TEXT, max_tokens: NUMBER, enabled: FLAG }),
  thinking: fields({ type: TEXT, budget_tokens: NUMBER, display: TEXT }),
  user: TEXT,
  stream_options: fields({ include_usage: FLAG }),
});
