import { isRecord, type JsonRecord } from "@one-api/providers/shared/json-fields";
import { outlineBetween } from "./outline.ts";
import type { PieceEnd } from "./piece-ends.ts";
import { badBody, type FieldSpan, NO_OBJECT, type ScannedObject } from "./scan-body.ts";

/** Stands where a piece goes on with a container of the one before: nobody can write such a name, it is made anew for every process. */
const GOES_ON = `on:${crypto.randomUUID()}`;

type Container = unknown[] | Record<string, unknown>;

/**
 * Parses a body without its cut texts, a piece at a step; returns the same as parsing it at once. Throws a 400 RelayError where it is no JSON object.
 */
export function* parseInPieces(bytes: Buffer, scanned: ScannedObject): Generator<void, JsonRecord, void> {
  const root: Record<string, unknown> = {};
  /** What the piece in hand goes on with, from the outside. */
  let open: Container[] = [root];
  let [from, before] = [bytes.indexOf("{") + 1, "{"];
  for (const end of scanned.pieceEnds) {
    const { opening, closing } = framesOf(end);
    addPiece(open, parse(outlineBetween(bytes, scanned, { start: from, end: end.at }, [before, closing])));
    open = openIn(root, end, (name) => parse(outlineBetween(bytes, scanned, name, ["{", ":0}"])));
    [from, before] = [end.at + 1, opening];
    yield;
  }
  addPiece(open, parse(outlineBetween(bytes, scanned, { start: from, end: bytes.length }, [before, ""])));
  return root;
}

/** What opens the containers of a piece's end for the next one, and what closes them for this one. */
function framesOf({ open }: PieceEnd): { readonly opening: string; readonly closing: string } {
  let [opening, closing] = ["{", "}"];
  for (const { isList, name } of open) {
    opening += `${name === undefined ? "" : `"${GOES_ON}":`}${isList ? "[" : "{"}`;
    closing = (isList ? "]" : "}") + closing;
  }
  return { opening, closing };
}

function parse(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw badBody(NO_OBJECT);
}

/** Adds what a piece holds to the containers with which it goes on. */
function addPiece(open: readonly Container[], piece: JsonRecord): void {
  let part: unknown = piece;
  for (const [depth, container] of open.entries()) {
    const goesOn = depth + 1 < open.length;
    if (isArray(container) && isArray(part)) {
      for (let index = goesOn ? 1 : 0; index < part.length; index += 1) container.push(part[index]);
      part = part[0];
    } else if (!isArray(container) && isRecord(part)) {
      for (const name in part) if (name !== GOES_ON) setField(container, name, part[name]);
      part = part[GOES_ON];
    }
  }
}

/** As parsing does it: `__proto__` is a name like any other. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/** The containers that are open where a piece ends, from the outside. */
function openIn(root: Record<string, unknown>, end: PieceEnd, read: (name: FieldSpan) => JsonRecord): Container[] {
  const open: Container[] = [root];
  let container: Container = root;
  for (const { name } of end.open) {
    const next: unknown = isArray(container)
      ? container.at(-1)
      : fieldOf(container, Object.keys(name ? read(name) : {})[0]);
    if (!isContainer(next)) throw badBody(NO_OBJECT);
    container = next;
    open.push(container);
  }
  return open;
}

function fieldOf(object: Record<string, unknown>, name: string | undefined): unknown {
  return name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
