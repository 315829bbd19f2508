import type { Plugin } from "vite";

/** A script of the build: its name, how many modules it holds, and the scripts that it imports at once. */
interface Script {
  readonly fileName: string;
  readonly moduleCount: number;
  readonly imports: readonly string[];
}

/**
 * Fails the build when scripts import each other in a circle: one of them then runs before what it uses is there, and pages that load it
 * first stay empty. Scripts without modules of their own only pass on what others export, and may stand in a circle.
 */
export function refuseCircles(): Plugin {
  return {
    name: "refuse-circles",
    apply: "build",
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((file) =>
        file.type === "chunk"
          ? [{ fileName: file.fileName, moduleCount: Object.keys(file.modules).length, imports: file.imports }]
          : [],
      );
      const circle = findCircle(scripts);
      if (circle.length > 0)
        this.error(`These scripts import each other; change the groups of vite.config.ts: ${circle.join(" -> ")}`);
    },
  };
}

/** The names along one circle of imports, the first one again at the end; empty when there is none. */
export function findCircle(scripts: readonly Script[]): string[] {
  const withModules = new Map(
    scripts.filter(({ moduleCount }) => moduleCount > 0).map(({ fileName, imports }) => [fileName, imports]),
  );
  const done = new Set<string>();
  const walk = (fileName: string, path: readonly string[]): string[] => {
    const start = path.indexOf(fileName);
    if (start !== -1) return [...path.slice(start), fileName];
    if (done.has(fileName)) return [];
    for (const imported of withModules.get(fileName) ?? []) {
      const circle = walk(imported, [...path, fileName]);
      if (circle.length > 0) return circle;
    }
    done.add(fileName);
    return [];
  };
  for (const fileName of withModules.keys()) {
    const circle = walk(fileName, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
