/** Sees where a JSON object ends that comes in pieces. */
export class ObjectEnd {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** True once as much was closed as was opened; not before anything was. */
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
