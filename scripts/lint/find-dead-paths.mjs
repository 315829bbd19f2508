import path from "node:path";

const CODE = /`([^`\n]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const FROM_ROOT = /^(?:apps|packages|docs|scripts|e2e|bench|deploy)\/[\w.@/-]+$/;
const FOLDER = /^[a-z][\w.-]*(?:\/[\w.-]+)*\/$/;
const SOURCE_FILE = /^[\w./-]+\.(?:tsx?|mjs|md|sql|html|css)$/;
const COMMAND = /\bnpm run ([\w:-]+)/g;

/**
 * Files, folders, headings and commands that a document names and the repository does not have, a sentence each.
 * @param {string} document path of a Markdown file from the root
 * @param {string} text
 * @param {{ files: ReadonlySet<string>, folders: ReadonlySet<string>, commands: ReadonlySet<string>, headingsOf: (file: string) => ReadonlySet<string> }} repository
 * @returns {string[]}
 */
export function findDeadPaths(document, text, { files, folders, commands, headingsOf }) {
  const folder = path.posix.dirname(document);
  const has = (/** @type {string} */ place) => files.has(place) || folders.has(place.replace(/\/$/, ""));
  const ends = (/** @type {string} */ name, /** @type {ReadonlySet<string>} */ places) =>
    places.has(name) || [...places].some((place) => place.endsWith(`/${name}`));
  const codes = [...text.matchAll(CODE)].map(([, code = ""]) => code);
  const links = [...withoutCode(text).matchAll(LINK)].map(([, target = ""]) => target);
  return [
    ...codes.filter((code) => FROM_ROOT.test(code) && !has(code)),
    ...codes.filter(
      (code) => SOURCE_FILE.test(code) && !FROM_ROOT.test(code) && !ends(code.replace(/^(?:\.\/)+/, ""), files),
    ),
    ...codes.filter((code) => FOLDER.test(code) && !FROM_ROOT.test(code) && !ends(code.slice(0, -1), folders)),
    ...links.filter((target) => !/^[a-z]+:/.test(target) && !isLinkAlive(target)),
    ...[...text.matchAll(COMMAND)].filter(([, name = ""]) => !commands.has(name)).map(([whole]) => whole),
  ].map((dead) => `${document}: names ${dead}, which the repository does not have`);

  /** @param {string} target */
  function isLinkAlive(target) {
    const [file = "", heading] = target.split("#");
    const place = file === "" ? document : path.posix.normalize(path.posix.join(folder, file));
    return has(place) && (heading === undefined || headingsOf(place).has(heading));
  }
}

/** Anchors of a document's headings, as GitHub makes them. @param {string} text @returns {Set<string>} */
export function anchorsOf(text) {
  const titles = [...text.replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** @param {string} text */
function withoutCode(text) {
  return text.replace(/^```[^]*?^```/gm, "").replace(CODE, "");
}
