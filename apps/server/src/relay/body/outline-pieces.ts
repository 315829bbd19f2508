import { isRecord, type JsonRecord } from "@one-api/providers/shared/json-fields";
import { outlineBetween } from "./outline.ts";
import type { PieceEnd } from "./piece-ends.ts";
import { badBody, type FieldSpan, NO_OBJECT, type ScannedObject } from "./scan-body.ts";

/** Name under which a piece continues a container of the piece before. It is random per process, so no caller can send it. */
const CONTINUATION = `on:${crypto.randomUUID()}`;

type Container = unknown[] | Record<string, unknown>;

/** Parses a body without its elided texts, one piece per iteration. Equals parsing at once. Throws a 400 RelayError if it is no JSON object. */
export function* parseInPieces(bytes: Buffer, scanned: ScannedObject): Generator<void, JsonRecord, void> {
  const root: Record<string, unknown> = {};
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

function framesOf({ open }: PieceEnd): { readonly opening: string; readonly closing: string } {
  let [opening, closing] = ["{", "}"];
  for (const { isList, name } of open) {
    opening += `${name === undefined ? "" : `"${CONTINUATION}":`}${isList ? "[" : "{"}`;
    closing = (isList ? "]" : "}") + closing;
  }
  return { opening, closing };
}

function parse(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {}
  throw badBody(NO_OBJECT);
}

function addPiece(open: readonly Container[], piece: JsonRecord): void {
  let level: unknown = piece;
  for (const [depth, container] of open.entries()) {
    const isContinued = depth + 1 < open.length;
    if (isArray(container) && isArray(level)) {
      for (let index = isContinued ? 1 : 0; index < level.length; index += 1) container.push(level[index]);
      level = level[0];
    } else if (!isArray(container) && isRecord(level)) {
      for (const name in level) if (name !== CONTINUATION) setField(container, name, level[name]);
      level = level[CONTINUATION];
    }
  }
}

/** Like JSON.parse: `__proto__` is an ordinary name. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

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
