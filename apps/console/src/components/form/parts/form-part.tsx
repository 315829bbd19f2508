import type { UseFormReturnType } from "@mantine/form";
import { type ComponentType, memo, useState } from "react";

const KINDS = ["values", "errors"] as const;

/** The form copies lists at each change: two with the same entries are the same. */
function isSame(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

/** A form object that reads the state of the last render, and remembers which values and errors were read. */
function followForm<Values extends object>(first: UseFormReturnType<Values>) {
  let [latest, version] = [first, 0];
  const read = { values: new Map<PropertyKey, unknown>(), errors: new Map<PropertyKey, unknown>() };
  const readOf = (kind: (typeof KINDS)[number], name: PropertyKey): unknown => {
    if (!read[kind].has(name)) read[kind].set(name, Reflect.get(latest[kind], name));
    return read[kind].get(name);
  };
  const fieldsOf = (kind: (typeof KINDS)[number]) =>
    new Proxy<object>(first[kind], {
      get: (_first, name) => readOf(kind, name),
      ownKeys: () => Reflect.ownKeys(latest[kind]),
      getOwnPropertyDescriptor: (_first, name) => Reflect.getOwnPropertyDescriptor(latest[kind], name),
    });
  const getInputProps: UseFormReturnType<Values>["getInputProps"] = (path, options) => {
    readOf("values", String(path).split(".")[0] ?? "");
    readOf("errors", String(path));
    return latest.getInputProps(path, options);
  };
  const own = new Map<PropertyKey, unknown>([
    ["values", fieldsOf("values")],
    ["errors", fieldsOf("errors")],
    ["getInputProps", getInputProps],
  ]);
  const takeKind = (kind: (typeof KINDS)[number]) => {
    for (const [name, known] of read[kind]) {
      const value: unknown = Reflect.get(latest[kind], name);
      if (isSame(known, value)) continue;
      read[kind].set(name, value);
      version += 1;
    }
  };
  return {
    form: new Proxy(first, { get: (_first, name): unknown => own.get(name) ?? Reflect.get(latest, name) }),
    /** Takes the newest state. Returns another number once something differs that was read. */
    take(next: UseFormReturnType<Values>): number {
      latest = next;
      KINDS.forEach(takeKind);
      return version;
    },
  };
}

function haveSame(left: object, right: object): boolean {
  return Object.keys(right).every((name) => Reflect.get(left, name) === Reflect.get(right, name));
}

/**
 * Returns a part of a form that renders only if its props change, or a value or error that it has read. A key press renders one part.
 */
export function formPart<Values extends object, Props extends { form: UseFormReturnType<Values> }>(
  Part: ComponentType<Props>,
): ComponentType<Props> {
  const Kept = memo(
    function Kept({ props }: { props: Props; version: number }) {
      return <Part {...props} />;
    },
    (before, after) => before.version === after.version && haveSame(before.props, after.props),
  );
  return function FormPart(props: Props) {
    const [followed] = useState(() => followForm<Values>(props.form));
    return <Kept props={{ ...props, form: followed.form }} version={followed.take(props.form)} />;
  };
}
