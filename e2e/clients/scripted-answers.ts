import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import { isJsonObject } from "@one-api/providers/stub-kit/json-fields";

/** Marks of a tool's result in the providers' formats: chat completions and Ollama, Responses, Anthropic, Gemini. */
const TOOL_RESULT = /"role":\s*"tool"|"function_call_output"|"tool_result"|"functionResponse"/;

/** Answers of the stub in one try: a call of the client's first tool, then a text. Requests without tools, such as for a title, get the text. */
export class ScriptedAnswers {
  readonly #text: string;
  readonly #toolText: string;
  #hasCalled = false;
  #hasResult = false;

  /** `toolText` is what the arguments of the tool call hold. */
  constructor(text: string, toolText: string) {
    this.#text = text;
    this.#toolText = toolText;
  }

  restart(): void {
    this.#hasCalled = false;
    this.#hasResult = false;
  }

  next({ body, bodyText }: Pick<RequestRecord, "body" | "bodyText">): Behaviour {
    const hasTools = isJsonObject(body) && Array.isArray(body["tools"]) && body["tools"].length > 0;
    if (hasTools && !this.#hasCalled) {
      this.#hasCalled = true;
      return { kind: "normal", text: this.#text, callTool: true, toolText: this.#toolText };
    }
    if (this.#hasCalled && TOOL_RESULT.test(bodyText)) this.#hasResult = true;
    return { kind: "normal", text: this.#text };
  }

  /** True once the client has sent the result of the tool back. */
  get isComplete(): boolean {
    return this.#hasResult;
  }

  get outcome(): string {
    if (this.#hasResult) return "text, tool call";
    return this.#hasCalled ? "no result of the tool call was sent" : "no request with tools was sent";
  }
}
