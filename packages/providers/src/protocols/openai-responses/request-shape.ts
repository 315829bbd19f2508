import { FLAG, fields, byType, listOf, NUMBER, OBJECT, type Shape, TEXT, textOr } from "../../neutral/check-fields.ts";

const SHOWN = {
  input_text: { text: TEXT },
  output_text: { text: TEXT },
  text: { text: TEXT },
  input_image: { image_url: TEXT, file_id: TEXT, detail: TEXT },
  input_file: { file_data: TEXT, file_url: TEXT, file_id: TEXT, filename: TEXT },
} as const;

const PART = byType({
  ...SHOWN,
  refusal: { refusal: TEXT },
  input_audio: { input_audio: fields({ data: TEXT, format: TEXT }) },
});

const TOOL = fields({
  type: TEXT,
  name: TEXT,
  description: TEXT,
  parameters: OBJECT,
  strict: FLAG,
  tools: listOf(fields({ type: TEXT, name: TEXT, description: TEXT, parameters: OBJECT, strict: FLAG })),
});

const CALL = { call_id: TEXT, name: TEXT, namespace: TEXT } as const;
const RESULT = { call_id: TEXT, output: textOr(listOf(byType(SHOWN))) } as const;

const ITEM = byType(
  {
    message: { content: textOr(listOf(PART)) },
    function_call: { ...CALL, arguments: TEXT },
    custom_tool_call: { ...CALL, input: TEXT },
    function_call_output: RESULT,
    custom_tool_call_output: RESULT,
    reasoning: {
      encrypted_content: TEXT,
      summary: listOf(fields({ text: TEXT })),
      content: listOf(fields({ text: TEXT })),
    },
    additional_tools: { tools: listOf(TOOL) },
  },
  "message",
);

export const REQUEST: Shape = fields({
  input: textOr(listOf(ITEM)),
  instructions: TEXT,
  tools: listOf(TOOL),
  tool_choice: textOr(fields({ type: TEXT, name: TEXT, namespace: TEXT, mode: TEXT, tools: listOf(OBJECT) })),
  parallel_tool_calls: FLAG,
  max_output_tokens: NUMBER,
  temperature: NUMBER,
  top_p: NUMBER,
  top_logprobs: NUMBER,
  include: listOf(TEXT),
  text: fields({
    format: fields({ type: TEXT, name: TEXT, description: TEXT, schema: OBJECT, strict: FLAG }),
    verbosity: TEXT,
  }),
  reasoning: fields({ effort: TEXT, summary: TEXT, generate_summary: TEXT }),
  safety_identifier: TEXT,
  user: TEXT,
});
