/**
 * One line for each import that closes a circle between folders beside each other: a → b → a. Imports between a folder and those inside it do
 * not count.
 * @param {{ file: string, target: string, line: number }[]} imports repository paths
 * @returns {string[]}
 */
export function findFolderCycles(imports) {
  const steps = imports.flatMap(({ file, target, line }) => stepOf(file, target, `${file}:${line}`));
  const folders = new Set(steps.map(({ folder }) => folder));
  return [...folders].flatMap((folder) => findCycles(steps.filter((step) => step.folder === folder)));
}

/**
 * @typedef {object} Step an import from one folder to another beside it
 * @property {string} place
 * @property {string} folder of both
 * @property {string} from
 * @property {string} to
 */

/** @param {string} file @param {string} target @param {string} place @returns {Step[]} none inside of a folder, or between a folder and one inside it */
function stepOf(file, target, place) {
  const [source, goal] = [file.split("/").slice(0, -1), target.split("/").slice(0, -1)];
  const depth = source.findIndex((name, index) => name !== goal[index]);
  const [from, to] = [source[depth], goal[depth]];
  return from === undefined || to === undefined ? [] : [{ place, folder: source.slice(0, depth).join("/"), from, to }];
}

/** @param {Step[]} steps inside one folder @returns {string[]} */
function findCycles(steps) {
  const fix = "move what both need to a folder below them, or pass it as an argument";
  return steps.flatMap(({ place, from, to }) => {
    const rest = findPath(steps, to, from, new Set());
    return rest === undefined
      ? []
      : [`${place}: folders import each other in a circle (${[from, ...rest].join(" → ")}): ${fix}`];
  });
}

/**
 * @param {Step[]} steps @param {string} start @param {string} goal @param {Set<string>} visited
 * @returns {string[] | undefined} the folders on the path, both ends included
 */
function findPath(steps, start, goal, visited) {
  if (start === goal) return [goal];
  visited.add(start);
  for (const { from, to } of steps) {
    if (from !== start || visited.has(to)) continue;
    const rest = findPath(steps, to, goal, visited);
    if (rest !== undefined) return [start, ...rest];
  }
  return undefined;
}
