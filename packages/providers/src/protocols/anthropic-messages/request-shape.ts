import { FLAG, fields, byType, listOf, NUMBER, OBJECT, type Shape, TEXT, textOr } from "../../neutral/check-fields.ts";
import { CACHE_MARK } from "../cache-control.ts";

const SOURCE = { type: TEXT, media_type: TEXT, data: TEXT, url: TEXT, file_id: TEXT } as const;
const TEXTS = listOf(fields({ text: TEXT }));

const SHOWN = {
  text: { text: TEXT, cache_control: CACHE_MARK },
  image: { source: fields(SOURCE), cache_control: CACHE_MARK },
  document: {
    source: fields({ ...SOURCE, content: textOr(TEXTS) }),
    title: TEXT,
    context: TEXT,
    citations: fields({ enabled: FLAG }),
    cache_control: CACHE_MARK,
  },
  search_result: {
    title: TEXT,
    source: TEXT,
    content: TEXTS,
    citations: fields({ enabled: FLAG }),
    cache_control: CACHE_MARK,
  },
} as const;

const CONTENT = textOr(
  listOf(
    byType({
      ...SHOWN,
      thinking: { thinking: TEXT, signature: TEXT },
      redacted_thinking: { data: TEXT },
      tool_use: { id: TEXT, name: TEXT, input: OBJECT, toolset_name: TEXT, cache_control: CACHE_MARK },
      tool_result: {
        tool_use_id: TEXT,
        content: textOr(listOf(byType(SHOWN))),
        is_error: FLAG,
        cache_control: CACHE_MARK,
      },
    }),
  ),
);

export const REQUEST: Shape = fields({
  messages: listOf(fields({ content: CONTENT })),
  system: CONTENT,
  max_tokens: NUMBER,
  temperature: NUMBER,
  top_p: NUMBER,
  top_k: NUMBER,
  stop_sequences: listOf(TEXT),
  tools: listOf(
    fields({
      type: TEXT,
      name: TEXT,
      description: TEXT,
      input_schema: OBJECT,
      strict: FLAG,
      cache_control: CACHE_MARK,
    }),
  ),
  tool_choice: fields({ type: TEXT, name: TEXT, disable_parallel_tool_use: FLAG }),
  thinking: fields({ type: TEXT, budget_tokens: NUMBER, display: TEXT }),
  output_config: fields({ effort: TEXT, format: fields({ type: TEXT, schema: OBJECT }) }),
  metadata: fields({ user_id: TEXT }),
});
