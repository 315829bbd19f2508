import type { Behaviour } from "@one-api/fake-upstream/behaviour";
import type { RequestRecord } from "@one-api/fake-upstream/request-log";
import { isJsonObject } from "@one-api/fake-upstream/json-fields";

/** Answers of the stub in one try: a call of the client's first tool, then a text. Requests without tools, such as for a title, get the text. */
export class ScriptedAnswers {
  readonly #text: string;
  #hasCalled = false;
  #hasContinued = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Starts the next try. */
  restart(): void {
    this.#hasCalled = false;
    this.#hasContinued = false;
  }

  next({ body }: Pick<RequestRecord, "body">): Behaviour {
    const hasTools = isJsonObject(body) && Array.isArray(body["tools"]) && body["tools"].length > 0;
    if (hasTools && !this.#hasCalled) {
      this.#hasCalled = true;
      return { kind: "normal", text: this.#text, callTool: true };
    }
    if (hasTools) this.#hasContinued = true;
    return { kind: "normal", text: this.#text };
  }

  /** How far the try came, for the table. */
  get outcome(): string {
    if (this.#hasContinued) return "text, tool call";
    return this.#hasCalled ? "no request after the tool call" : "text";
  }
}
