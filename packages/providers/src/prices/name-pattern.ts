import { PatternError, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Most steps of a compiled pattern. Counted repetitions are expanded, so a short text can need many. A match takes at most (steps × characters
 * of the name) operations.
 */
const MAX_STEPS = 600;

export interface NamePattern {
  readonly size: number;
  test(name: string): boolean;
}

type Step =
  | { readonly kind: "character"; readonly accepts: (code: number) => boolean }
  | { readonly kind: "start" | "end" | "match" }
  | { readonly kind: "branch"; readonly to: number[] };

/**
 * Compiles a pattern of `parse-pattern.ts` for matching in linear time (Thompson's simulation). Throws `PatternError` for a text outside of
 * the grammar, or with too many steps.
 */
export function compilePattern(text: string): NamePattern {
  const { conditions, body } = parsePattern(text);
  const main = compile(body);
  const checks = conditions.map(({ negated, node }) => ({ negated, steps: compile(node) }));
  return {
    size: checks.reduce((size, { steps }) => size + steps.length, main.length),
    test: (name) =>
      checks.every(({ negated, steps }) => matches(steps, name, "at-start") !== negated) &&
      matches(main, name, "anywhere"),
  };
}

function compile(node: PatternNode): readonly Step[] {
  const steps: Step[] = [];
  emit(node, steps);
  add(steps, { kind: "match" });
  return steps;
}

function add(steps: Step[], step: Step): void {
  if (steps.length >= MAX_STEPS) throw new PatternError("is too long when its repetitions are written out");
  steps.push(step);
}

function emit(node: PatternNode, steps: Step[]): void {
  switch (node.kind) {
    case "character":
    case "start":
    case "end":
      add(steps, node);
      return;
    case "sequence":
      for (const part of node.parts) emit(part, steps);
      return;
    case "choice":
      emitChoice(node.options, steps);
      return;
    case "repeat":
      emitRepeat(node, steps);
  }
}

function emitChoice(options: readonly PatternNode[], steps: Step[]): void {
  const starts: number[] = [];
  add(steps, { kind: "branch", to: starts });
  const ends: number[][] = [];
  for (const option of options) {
    starts.push(steps.length);
    emit(option, steps);
    const end: number[] = [];
    add(steps, { kind: "branch", to: end });
    ends.push(end);
  }
  for (const end of ends) end.push(steps.length);
}

function emitRepeat({ part, least, most }: PatternNode & { kind: "repeat" }, steps: Step[]): void {
  for (let count = 0; count < least; count += 1) emit(part, steps);
  if (most === Infinity) {
    const loop = steps.length;
    const to = [loop + 1];
    add(steps, { kind: "branch", to });
    emit(part, steps);
    add(steps, { kind: "branch", to: [loop] });
    to.push(steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let count = least; count < most; count += 1) {
    const to = [steps.length + 1];
    add(steps, { kind: "branch", to });
    exits.push(to);
    emit(part, steps);
  }
  for (const exit of exits) exit.push(steps.length);
}

/** Follows all alternatives at once: each step is visited once per character. */
function matches(steps: readonly Step[], name: string, where: "at-start" | "anywhere"): boolean {
  let current: number[] = [];
  const visitedAt = new Int32Array(steps.length).fill(-1);
  for (let position = 0; position <= name.length; position += 1) {
    if (where === "anywhere" || position === 0) current.push(0);
    const reached = reach(steps, current, { position, length: name.length, visitedAt });
    if (reached === "matched") return true;
    if (reached.length === 0 && where === "at-start") return false;
    const code = name.charCodeAt(position);
    current = [];
    for (const index of reached) {
      const step = steps[index];
      if (step?.kind === "character" && step.accepts(code)) current.push(index + 1);
    }
  }
  return false;
}

interface Place {
  readonly position: number;
  readonly length: number;
  readonly visitedAt: Int32Array;
}

function reach(
  steps: readonly Step[],
  from: readonly number[],
  { position, length, visitedAt }: Place,
): "matched" | number[] {
  const open = [...from];
  const reached: number[] = [];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const step = steps[index];
    if (step === undefined || visitedAt[index] === position) continue;
    visitedAt[index] = position;
    if (step.kind === "match") return "matched";
    if (step.kind === "character") reached.push(index);
    else if (step.kind === "branch") open.push(...step.to);
    else if (position === (step.kind === "start" ? 0 : length)) open.push(index + 1);
  }
  return reached;
}
