/** Finds the end of a JSON object that arrives in pieces. */
export class ObjectEnd {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  isWhole = false;

  push(text: string): void {
    for (const letter of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText) {
        if (letter === "\\") this.#isEscaped = true;
        else if (letter === '"') this.#isText = false;
      } else if (letter === '"') this.#isText = true;
      else if (letter === "{") this.#depth += 1;
      else if (letter === "}") {
        this.#depth -= 1;
        this.isWhole = this.#depth === 0;
      }
    }
  }
}
