import { MalformedResponseError } from "./malformed-response-error.ts";

/** Hexadecimal digits of a chunk's size: up to 4 GiB. */
const MAX_SIZE_DIGITS = 8;
/** Longest extensions of one chunk, and longest trailers of a body, in bytes. */
const MAX_EXTENSION_BYTES = 16 * 1024;
const MAX_TRAILER_BYTES = 64 * 1024;

const TRAILER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

const CR = 0x0d;
const LF = 0x0a;

/**
 * States in their order; `data-lf` leads to the next `size`, a `size-lf` of size 0 to `trailer`, an empty line there to `over`.
 * RFC 9112, 7.1.
 */
type State = "size" | "extension" | "size-lf" | "data" | "data-cr" | "data-lf" | "trailer" | "trailer-lf" | "over";

/** Decodes the chunks of one body, from reads of any size. Skips extensions and trailers. */
export class ChunkedBody {
  #state: State = "size";
  #digits = 0;
  #missingBytes = 0;
  #extensionBytes = 0;
  #trailer = "";
  #trailerBytes = 0;
  dataStart = 0;
  dataEnd = 0;

  get isOver(): boolean {
    return this.#state === "over";
  }

  /**
   * Decodes and returns the offset of the first unused byte. Moves the data of several chunks together inside `bytes`, as one range. Throws
   * MalformedResponseError.
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
    const size = Math.min(this.#missingBytes, bytes.length - at);
    if (this.dataEnd === this.dataStart) {
      this.dataStart = at;
      this.dataEnd = at + size;
    } else {
      bytes.copyWithin(this.dataEnd, at, at + size);
      this.dataEnd += size;
    }
    this.#missingBytes -= size;
    if (this.#missingBytes === 0) this.#state = "data-cr";
    return at + size;
  }

  #takeByte(byte: number): void {
    switch (this.#state) {
      case "size":
        return this.#takeSize(byte);
      case "extension":
        if (byte === CR) this.#state = "size-lf";
        else if (isControl(byte) || ++this.#extensionBytes > MAX_EXTENSION_BYTES) throw malformed();
        return;
      case "size-lf":
        if (byte !== LF) throw malformed();
        this.#state = this.#missingBytes === 0 ? "trailer" : "data";
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
      if (++this.#digits > MAX_SIZE_DIGITS) throw malformed();
      this.#missingBytes = this.#missingBytes * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw malformed();
    if (byte === CR) this.#state = "size-lf";
    else if (byte === 0x3b) this.#state = "extension";
    else throw malformed();
  }

  #takeTrailer(byte: number): void {
    if (byte === CR) this.#state = "trailer-lf";
    else if (++this.#trailerBytes > MAX_TRAILER_BYTES) throw malformed();
    else this.#trailer += String.fromCharCode(byte);
  }

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
  return new MalformedResponseError("A chunk of the body is malformed.");
}
