import { isRecord, type JsonRecord } from "../shared/json-fields.ts";
import { UntranslatableError } from "./chat-request.ts";

/** A value of a wrong type: its path below the value that was looked at, empty for that value itself, and what must stand there. */
interface Fault {
  readonly path: string;
  readonly expected: string;
}

/** What a value must be. Returns undefined for such a value. */
export type Shape = (value: unknown) => Fault | undefined;

type Shapes = Readonly<Record<string, Shape>>;

/** Returns the shape of values that need no look inside. */
export function valueOf(expected: string, isSuch: (value: unknown) => boolean): Shape {
  const fault: Fault = { path: "", expected };
  return (value) => (isSuch(value) ? undefined : fault);
}

export const TEXT = valueOf("a string", (value) => typeof value === "string");
export const NUMBER = valueOf("a number", (value) => typeof value === "number");
export const FLAG = valueOf("true or false", (value) => typeof value === "boolean");
export const OBJECT = valueOf("an object", isRecord);
const LIST = valueOf("a list", Array.isArray);

/** An object with fields of these shapes. A field may be absent or null; a field that is not named may be anything. */
export function fields(shapes: Shapes): Shape {
  const named = new Map(Object.entries(shapes));
  return (value) => {
    if (!isRecord(value)) return OBJECT(value);
    // A value has a few of the fields: a look at each of its own costs half of a look for each shape.
    for (const name in value) {
      const field = value[name];
      const fault = field === undefined || field === null ? undefined : named.get(name)?.(field);
      if (fault !== undefined) return below(name, fault);
    }
    return undefined;
  };
}

/** An object with the fields that its `type` names; of a type that is not named, anything. `usual` is the type of an object without one. */
export function byType(types: Readonly<Record<string, Shapes>>, usual?: string): Shape {
  const shapes = new Map(Object.entries(types).map(([type, named]) => [type, fields(named)]));
  return (value) => {
    if (!isRecord(value)) return OBJECT(value);
    const type = value.type ?? usual;
    if (type === undefined) return undefined;
    return typeof type === "string" ? shapes.get(type)?.(value) : below("type", TEXT(type));
  };
}

/** A list of values of a shape. */
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

/** A string, or a value of a shape. */
export function textOr(shape: Shape): Shape {
  return (value) => (typeof value === "string" ? undefined : orText(shape(value)));
}

function orText(fault: Fault | undefined): Fault | undefined {
  return fault?.path === "" ? { path: "", expected: `a string or ${fault.expected}` } : fault;
}

function below(name: string, fault: Fault | undefined): Fault | undefined {
  return fault && { ...fault, path: fault.path === "" ? name : `${name}.${fault.path}` };
}

/** Throws UntranslatableError for a value of a wrong type, by its path such as `messages.0.content.1.text`: reading would leave it out unseen. */
export function checkFields(request: JsonRecord, shape: Shape): void {
  const fault = shape(request);
  if (fault !== undefined) throw new UntranslatableError(fault.path, `${fault.path} must be ${fault.expected}.`);
}
