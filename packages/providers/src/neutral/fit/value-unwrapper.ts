/**
 * Extracts the value of the only field of a streamed JSON object. Any other text passes unchanged.
 *
 * | state  | input                            | next state                         |
 * |--------|----------------------------------|------------------------------------|
 * | before | buffers the prefix, `{"key":`    | inside, or plain if it differs     |
 * | inside | passes the value                 | after, at its end                  |
 * | after  | drops the rest                   |                                    |
 * | plain  | passes everything                |                                    |
 */
export class ValueUnwrapper {
  readonly #beginning: string;
  #state: "before" | "inside" | "after" | "plain" = "before";
  #held = "";
  #matched = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(key: string) {
    this.#beginning = `{"${key}":`;
  }

  push(text: string): string {
    let at = 0;
    while (at < text.length && this.#state === "before") {
      this.#match(text.charAt(at));
      at += 1;
    }
    if (this.#state === "before") return "";
    if (this.#state === "plain") return this.#release() + text.slice(at);
    const from = at;
    while (at < text.length && this.#state === "inside") {
      this.#pass(text.charAt(at));
      if (this.#state === "inside") at += 1;
    }
    return text.slice(from, at);
  }

  end(): string {
    return this.#state === "before" ? this.#release() : "";
  }

  #release(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #match(letter: string): void {
    this.#held += letter;
    // Whitespace is allowed everywhere except in the field's name.
    const isBetween = this.#matched < 2 || this.#matched >= this.#beginning.length - 1;
    if (isBetween && /\s/.test(letter)) return;
    if (letter !== this.#beginning[this.#matched]) {
      this.#state = "plain";
      return;
    }
    this.#matched += 1;
    if (this.#matched < this.#beginning.length) return;
    this.#state = "inside";
    this.#held = "";
  }

  #pass(letter: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText) {
      if (letter === "\\") this.#isEscaped = true;
      else if (letter === '"') this.#isText = false;
    } else if (letter === '"') this.#isText = true;
    else if (letter === "{" || letter === "[") this.#depth += 1;
    else if (this.#depth === 0 && (letter === "}" || letter === ",")) this.#state = "after";
    else if (letter === "}" || letter === "]") this.#depth -= 1;
  }
}
