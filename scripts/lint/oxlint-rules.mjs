import path from "node:path";

/**
 * The project's own rules, for what no rule of oxlint says.
 * @typedef {Record<string, any>} Node a node of the syntax tree (ESTree)
 * @typedef {{ report(finding: { node: Node, message: string }): void }} Context
 */

/** Only the ledger changes these, so that every change has an entry. @type {Record<string, string[]>} */
const balanceColumns = { channels: ["used_quota"] };
/** Only the ledger writes rows of these. */
const ledgerTables = ["shares", "owners", "checkpoints", "budget_windows"];
const useLedger =
  "Only the ledger writes balances: use ledger.grant, ledger.allot or a settlement, and leave the column out of a new row.";
const nameColumns = "Name the columns, so that a secret added later is not read by accident.";
const useToken = 'Use a token of the theme, such as "md".';
/**
 * Folders of the relay by level: a folder imports the `index.ts` of lower levels. Files beside the folders are above them all, but for the leaf
 * `relay-timeouts.ts`.
 * @type {Record<string, number>}
 */
const relayLevels = {
  errors: 1,
  pricing: 1,
  telemetry: 1,
  body: 3,
  limits: 2,
  callers: 3,
  "in-flight": 4,
  media: 4,
  "stored-bodies": 4,
  dialects: 5,
  translate: 5,
  routing: 6,
  upstream: 6,
  usage: 6,
  "channel-keys": 7,
  charging: 7,
  "own-calls": 7,
  passthrough: 7,
  batches: 8,
  realtime: 8,
  request: 8,
};
/** Attributes of Mantine's components and inline styles with a font size, space or radius. */
const sizedAttribute = /^(?:fz|radius|[mp][xytblrse]?|gap|(?:row|column)Gap|spacing|(?:vertical|horizontal)Spacing)$/;
const sizedStyle = /^(?:fontSize|borderRadius|(?:row|column)?[gG]ap|(?:padding|margin)(?:[A-Z][a-zA-Z]*)?)$/;

export default {
  meta: { name: "one-api" },
  rules: {
    "ledger-writes-balances": { create: balanceWrites },
    "named-columns": { create: selectAll },
    "relay-levels": { create: relayImports },
    "size-tokens": { create: rawSizes },
  },
};

/** @param {Context & { filename: string }} context */
function relayImports(context) {
  const [, from = ""] = /\/src\/relay\/(?:([^/]+)\/)?[^/]*/.exec(context.filename) ?? [];
  const inRelay = context.filename.includes("/src/relay/");
  /** @param {Node} node */
  const check = (node) => {
    const named = String(node["source"]?.value ?? "");
    if (!named.startsWith(".")) return;
    const target = path.posix.join(path.posix.dirname(context.filename), named);
    const [, to, file = ""] = /\/src\/relay\/(?:([^/]+)\/)?(.+)$/.exec(target) ?? [];
    const message = file === "" || (inRelay && to === from) ? undefined : misplaced({ inRelay, from, to, file });
    if (message !== undefined) context.report({ node, message });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
  };
}

/**
 * Why an import across folders of the relay is out of place; undefined where it is not.
 * @param {{ inRelay: boolean, from: string | undefined, to: string | undefined, file: string }} edge
 */
function misplaced({ inRelay, from, to, file }) {
  if (to === undefined) {
    const isInside = inRelay && from !== undefined && from !== "";
    return isInside && file !== "relay-timeouts.ts" ? `Files beside the relay's folders are above ${from}.` : undefined;
  }
  if (file !== "index.ts") return `Import from relay/${to}/index.ts, and export there what others may use.`;
  const level = from === undefined || from === "" || !inRelay ? Infinity : relayLevels[from];
  const isBelow = level !== undefined && (relayLevels[to] ?? Infinity) < level;
  return isBelow || !inRelay
    ? undefined
    : `relay/${to} is not below relay/${from}: see relayLevels in scripts/lint/oxlint-rules.mjs.`;
}

/** @param {Context} context */
function selectAll(context) {
  const selectsAll = /\bselect\s+(?:distinct\s+)?\*/i;
  /** @param {Node} node @param {string} text */
  const check = (node, text) => void (selectsAll.test(text) && context.report({ node, message: nameColumns }));
  return {
    /** @param {Node} node */
    CallExpression(node) {
      if (nameOfCall(node) === "selectAll") context.report({ node, message: nameColumns });
    },
    /** @param {Node} node */
    Literal: (node) => check(node, typeof node["value"] === "string" ? node["value"] : ""),
    /** @param {Node} node */
    TemplateElement: (node) => check(node, node["value"].raw),
  };
}

/** Sizes of components that are no tokens, as find-raw-sizes finds them in style sheets; hairlines of one or two pixels pass. @param {Context} context */
function rawSizes(context) {
  /** @param {Node} node @param {Node | undefined} value */
  const check = (node, value) => void (isRawSize(value) && context.report({ node, message: useToken }));
  return {
    /** @param {Node} node */
    JSXAttribute(node) {
      const value = node["value"]?.type === "JSXExpressionContainer" ? node["value"].expression : node["value"];
      if (sizedAttribute.test(node["name"].name)) check(node, value);
      if (node["name"].name !== "style" || value?.type !== "ObjectExpression") return;
      for (const part of value.properties) if (sizedStyle.test(part.key?.name ?? "")) check(part, part.value);
    },
  };
}

/** @param {Node | undefined} value an expression */
function isRawSize(value) {
  const literal = value?.["type"] === "UnaryExpression" ? value["argument"] : value;
  return /^(?![012](?:px)?$)-?[\d.]+(?:px|rem)?$/.test(String(literal?.["value"] ?? ""));
}

/** @param {Context} context */
function balanceWrites(context) {
  /** Objects that a variable of the file holds, by its name. @type {Map<string, Node>} */
  const variables = new Map();
  /** @type {{ node: Node, table: string, values: Node[] }[]} */
  const writes = [];
  return {
    /** @param {Node} node */
    VariableDeclarator(node) {
      if (node["id"].type === "Identifier" && node["init"]) variables.set(node["id"].name, node["init"]);
    },
    /** @param {Node} node */
    CallExpression(node) {
      if (/^(?:updateTable|insertInto|replaceInto|mergeInto|deleteFrom)$/.test(nameOfCall(node) ?? "")) {
        const [named] = node["arguments"];
        if (ledgerTables.includes(named?.value)) context.report({ node, message: `${named.value}: ${useLedger}` });
      }
      const table = writtenTable(node);
      if (table !== undefined) writes.push({ node, table, values: node["arguments"] });
    },
    /** @param {Node} node */
    TaggedTemplateExpression(node) {
      const text = node["quasi"].quasis.map((/** @type {Node} */ part) => part["value"].raw).join("?");
      if (sqlSetsBalance(text)) context.report({ node, message: useLedger });
    },
    "Program:exit"() {
      for (const { node, table, values } of writes) {
        const written = new Set(values.flatMap((value) => keysIn(value, variables)));
        const columns = balanceColumns[table] ?? Object.values(balanceColumns).flat();
        const column = columns.find((name) => written.has(name));
        if (column !== undefined) context.report({ node, message: `${table}.${column}: ${useLedger}` });
      }
    },
  };
}

/**
 * The table whose row a call writes: `db.updateTable("users")….set(…)`, `insertInto`, the update of a conflict, or a repository's function
 * such as `insertChannel(db, row)`.
 * @param {Node} call
 */
function writtenTable(call) {
  const name = nameOfCall(call) ?? "";
  const [, noun] = /^(?:insert|update)(User|Token|Channel)s?$/.exec(name) ?? [];
  if (noun !== undefined) return `${noun.toLowerCase()}s`;
  if (name === "doUpdateSet") return "any";
  if (name !== "set" && name !== "values") return undefined;
  for (let inner = call["callee"].object; inner?.type === "CallExpression"; inner = inner.callee.object) {
    const table = inner.arguments[0]?.value;
    if (/^(?:updateTable|insertInto|replaceInto|mergeInto)$/.test(nameOfCall(inner) ?? "") && balanceColumns[table])
      return table;
  }
  return undefined;
}

/** Names of the properties, and texts, in an expression and in the variables that it spreads or passes. @param {Node} node @param {Map<string, Node>} variables @returns {string[]} */
function keysIn(node, variables) {
  if (node["type"] === "Identifier") {
    const held = variables.get(node["name"]);
    return held?.["type"] === "ObjectExpression" ? keysIn(held, variables) : [];
  }
  if (node["type"] === "Literal") return [String(node["value"])];
  if (node["type"] === "ObjectExpression") {
    return node["properties"].flatMap((/** @type {Node} */ property) =>
      property["type"] === "SpreadElement"
        ? keysIn(property["argument"], variables)
        : [String(property["key"].name ?? property["key"].value)],
    );
  }
  const inner = [
    node["body"],
    node["consequent"],
    node["alternate"],
    node["argument"],
    node["expression"],
    node["right"],
  ];
  const lists = [node["elements"], node["body"], node["type"] === "CallExpression" ? node["arguments"] : []].filter(
    Array.isArray,
  );
  return [...inner, ...lists.flat()].flatMap((part) => (part?.type === undefined ? [] : keysIn(part, variables)));
}

/** @param {string} text SQL */
function sqlSetsBalance(text) {
  if (
    new RegExp(`\\b(?:update|insert\\s+into|delete\\s+from)\\s+["']?(?:${ledgerTables.join("|")})\\b`, "i").test(text)
  )
    return true;
  return Object.entries(balanceColumns).some(([table, columns]) => {
    const written =
      new RegExp(`\\b(?:update|into)\\s+["']?${table}\\b(.*?)(?:\\bwhere\\b|$)`, "is").exec(text)?.[1] ?? "";
    return columns.some((column) => new RegExp(`\\b${column}\\b`).test(written));
  });
}

/** @param {Node} call */
function nameOfCall(call) {
  const { callee } = call;
  return callee.type === "MemberExpression" ? callee.property.name : callee.name;
}
