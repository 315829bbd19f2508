/**
 * Takes the value of the one field out of a JSON object that comes in pieces. A text that does not begin as such an object passes as it is.
 *
 * | state  | text                            | next                              |
 * |--------|---------------------------------|-----------------------------------|
 * | before | the beginning, `{"key":`, held  | inside, or plain where it differs |
 * | inside | the value, passed               | after, at its end                 |
 * | after  | what follows the value, dropped |                                   |
 * | plain  | everything, passed              |                                   |
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

  /** Returns what of the value the piece adds. */
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

  /** Returns what was held, at the end of a text that is no more than a beginning. */
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
    // White space may stand everywhere but within the name of the field.
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
