import { isJsonObject } from "./json-fields.ts";
import type { JsonObject } from "./json-fields.ts";

/** A behaviour that cannot be understood; the message names the field and what it may be. */
export class BehaviourError extends Error {
  override name = "BehaviourError";
}

/** Reads the fields of an untrusted object one by one and refuses those that nobody asked for. */
export class FieldReader {
  readonly #fields: JsonObject;
  readonly #known = new Set<string>();

  constructor(value: unknown) {
    if (!isJsonObject(value)) throw new BehaviourError('a behaviour must be a JSON object such as {"kind":"normal"}');
    this.#fields = value;
  }

  count(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
    throw new BehaviourError(`${name} must be a whole number of 0 or more`);
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === "string") return value;
    throw new BehaviourError(`${name} must be a text`);
  }

  countOrText(name: string): number | string | undefined {
    return typeof this.#fields[name] === "string" ? this.text(name) : this.count(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw new BehaviourError(`${name} must be true or false`);
  }

  object(name: string): JsonObject | undefined {
    const value = this.#take(name);
    if (value === undefined || isJsonObject(value)) return value;
    throw new BehaviourError(`${name} must be a JSON object`);
  }

  choice<const Allowed extends string | number>(name: string, allowed: readonly Allowed[]): Allowed | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const found = allowed.find((item) => item === value);
    if (found !== undefined) return found;
    throw new BehaviourError(`${name} must be one of ${allowed.join(", ")}`);
  }

  requiredChoice<const Allowed extends string | number>(name: string, allowed: readonly Allowed[]): Allowed {
    const value = this.choice(name, allowed);
    if (value === undefined) throw new BehaviourError(`${name} is missing; it must be one of ${allowed.join(", ")}`);
    return value;
  }

  refuseUnknown(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#known.has(name));
    if (unknown !== undefined) throw new BehaviourError(`${unknown} is no field of this kind of behaviour`);
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return this.#fields[name];
  }
}
