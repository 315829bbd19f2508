import { isRecord, type JsonRecord } from "../shared/json-fields.ts";
import { UntranslatableError } from "./chat-request.ts";

/** A value of a wrong type: its path below the checked value (empty for that value itself), and the expected type. */
interface Fault {
  readonly path: string;
  readonly expected: string;
}

export type Shape = (value: unknown) => Fault | undefined;

type Shapes = Readonly<Record<string, Shape>>;

export function valueOf(expected: string, isSuch: (value: unknown) => boolean): Shape {
  const fault: Fault = { path: "", expected };
  return (value) => (isSuch(value) ? undefined : fault);
}

export const TEXT = valueOf("a string", (value) => typeof value === "string");
export const NUMBER = valueOf("a number", (value) => typeof value === "number");
export const FLAG = valueOf("true or false", (value) => typeof value === "boolean");
export const OBJECT = valueOf("an object", isRecord);
const LIST = valueOf("a list", Array.isArray);

/** An object with these fields. A field may be absent or null; other fields may be anything. */
export function fields(shapes: Shapes): Shape {
  const named = new Map(Object.entries(shapes));
  return (value) => {
    if (!isRecord(value)) return OBJECT(value);
    // Iterates over the value: it has few of the fields, so this takes half the time of iterating over the shapes.
    for (const name in value) {
      const field = value[name];
      const fault = field === undefined || field === null ? undefined : named.get(name)?.(field);
      if (fault !== undefined) return below(name, fault);
    }
    return undefined;
  };
}

/**
 * An object whose fields depend on its `type`; other types may be anything. `usual` is the type of an object without
 * one.
 */
export function byType(types: Readonly<Record<string, Shapes>>, usual?: string): Shape {
  const shapes = new Map(Object.entries(types).map(([type, named]) => [type, fields(named)]));
  return (value) => {
    if (!isRecord(value)) return OBJECT(value);
    const type = value.type ?? usual;
    if (type === undefined) return undefined;
    return typeof type === "string" ? shapes.get(type)?.(value) : below("type", TEXT(type));
  };
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return LIST(value);
    for (let index = 0; index < value.length; index += 1) {
      const fault = shape(value[index]);
      if (fault !== undefined) return below(String(index), fault);
    }
    return undefined;
  };
}

export function textOr(shape: Shape): Shape {
  return (value) => (typeof value === "string" ? undefined : orText(shape(value)));
}

function orText(fault: Fault | undefined): Fault | undefined {
  return fault?.path === "" ? { path: "", expected: `a string or ${fault.expected}` } : fault;
}

function below(name: string, fault: Fault | undefined): Fault | undefined {
  return fault && { ...fault, path: fault.path === "" ? name : `${name}.${fault.path}` };
}

/**
 * Throws UntranslatableError with the path of a value of a wrong type, such as `messages.0.content.1.text`. Reading
 * would drop it silently.
 */
export function checkFields(request: JsonRecord, shape: Shape): void {
  const fault = shape(request);
  if (fault !== undefined) throw new UntranslatableError(fault.path, `${fault.path} must be ${fault.expected}.`);
}
