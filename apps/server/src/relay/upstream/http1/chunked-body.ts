import { MalformedResponseError } from "./malformed-response-error.ts";

/** Digits of a chunk's size: up to 4 GiB at once. */
const MOST_SIZE_DIGITS = 8;
/** What may follow the sizes of all chunks in one read's worth, and what may follow the last one, in bytes. */
const MOST_EXTENSION_BYTES = 16 * 1024;
const MOST_TRAILER_BYTES = 64 * 1024;

const TRAILER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

const CR = 0x0d;
const LF = 0x0a;

type State = "size" | "extension" | "size-lf" | "data" | "data-cr" | "data-lf" | "trailer" | "trailer-lf" | "over";

/** Takes the chunks of one body apart, wherever they were cut. Extensions and trailers are skipped, within limits. */
export class ChunkedBody {
  #state: State = "size";
  #digits = 0;
  /** The chunk's bytes that are still to come. */
  #left = 0;
  #extensionBytes = 0;
  #trailer = "";
  #trailerBytes = 0;
  /** The data of the last `decode` stands from here */
  dataStart = 0;
  /** to here in its bytes. */
  dataEnd = 0;

  get isOver(): boolean {
    return this.#state === "over";
  }

  /**
   * Reads on and returns where it stopped: the end of the bytes or of the body. Data is moved together inside the bytes, so that what came in one
   * read is one piece. Throws MalformedResponseError.
   */
  decode(bytes: Buffer, from: number): number {
    this.dataStart = from;
    this.dataEnd = from;
    let at = from;
    while (at < bytes.length && this.#state !== "over") {
      if (this.#state === "data") at = this.#takeData(bytes, at);
      else this.#takeByte(bytes[at++] ?? 0);
    }
    return at;
  }

  #takeData(bytes: Buffer, at: number): number {
    const size = Math.min(this.#left, bytes.length - at);
    if (this.dataEnd === this.dataStart) {
      this.dataStart = at;
      this.dataEnd = at + size;
    } else {
      bytes.copyWithin(this.dataEnd, at, at + size);
      this.dataEnd += size;
    }
    this.#left -= size;
    if (this.#left === 0) this.#state = "data-cr";
    return at + size;
  }

  #takeByte(byte: number): void {
    switch (this.#state) {
      case "size":
        return this.#takeSize(byte);
      case "extension":
        if (byte === CR) this.#state = "size-lf";
        else if (isControl(byte) || ++this.#extensionBytes > MOST_EXTENSION_BYTES) throw malformed();
        return;
      case "size-lf":
        if (byte !== LF) throw malformed();
        this.#state = this.#left === 0 ? "trailer" : "data";
        return;
      case "data-cr":
        if (byte !== CR) throw malformed();
        this.#state = "data-lf";
        return;
      case "data-lf":
        if (byte !== LF) throw malformed();
        this.#state = "size";
        this.#digits = 0;
        this.#extensionBytes = 0;
        return;
      case "trailer":
        return this.#takeTrailer(byte);
      case "trailer-lf":
        return this.#endTrailer(byte);
      case "data":
      case "over":
    }
  }

  #takeSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      if (++this.#digits > MOST_SIZE_DIGITS) throw malformed();
      this.#left = this.#left * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw malformed();
    if (byte === CR) this.#state = "size-lf";
    else if (byte === 0x3b) this.#state = "extension";
    else throw malformed();
  }

  #takeTrailer(byte: number): void {
    if (byte === CR) this.#state = "trailer-lf";
    else if (++this.#trailerBytes > MOST_TRAILER_BYTES) throw malformed();
    else this.#trailer += String.fromCharCode(byte);
  }

  /** An empty line is the end. */
  #endTrailer(byte: number): void {
    if (byte !== LF) throw malformed();
    if (this.#trailer === "") {
      this.#state = "over";
      return;
    }
    if (!TRAILER.test(this.#trailer)) throw malformed();
    this.#trailer = "";
    this.#state = "trailer";
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09) || byte === 0x7f;
}

function malformed(): MalformedResponseError {
  return new MalformedResponseError("A chunk of the body is none.");
}
