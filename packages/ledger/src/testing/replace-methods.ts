/** The same object with other methods in the place of some of its own. */
export function replaceMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(whole, name) {
      const value: unknown = Reflect.get(name in methods ? methods : whole, name);
      if (typeof value !== "function" || name in methods) return value;
      // Private fields are those of the object itself.
      return (...parameters: readonly unknown[]): unknown => Reflect.apply(value, whole, parameters);
    },
  });
}
