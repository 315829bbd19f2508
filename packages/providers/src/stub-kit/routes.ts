import type { Endpoint } from "./call.ts";

/**
 * Endpoints by method and path. `{name}` is one segment up to `/` or `:`, `{+name}` the rest of the path. Everything else is a regular expression.
 */
export type Routes = Readonly<Record<string, Endpoint>>;

export interface FoundRoute {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly pattern: RegExp;
  readonly endpoint: Endpoint;
}

const compiled = new WeakMap<Routes, readonly Route[]>();

export function findRoute(routes: Routes, method: string, path: string): FoundRoute | undefined {
  const known = compiled.get(routes) ?? Object.entries(routes).map(compile);
  compiled.set(routes, known);
  for (const { pattern, endpoint } of known) {
    const match = pattern.exec(`${method} ${path}`);
    if (match === null) continue;
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]): [string, string] => [name, decode(value)]),
    );
    return { endpoint, params };
  }
  return undefined;
}

export function routesBelow(path: string, routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([name, endpoint]) => [name.replace(" ", ` ${path}`), endpoint]),
  );
}

function compile([name, endpoint]: [string, Endpoint]): Route {
  const source = name.replace(/\{\+([a-z]\w*)\}/gi, "(?<$1>.+)").replace(/\{([a-z]\w*)\}/gi, "(?<$1>[^/:]+)");
  return { pattern: new RegExp(`^${source}$`), endpoint };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
