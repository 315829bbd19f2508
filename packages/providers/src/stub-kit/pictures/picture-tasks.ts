import { refuse } from "../refusal.ts";
import type { Call } from "../call.ts";

type TaskState = "running" | "done" | "failed" | "cancelled";

interface Task {
  readonly count: number;
  looks: number;
  isCancelled: boolean;
}

const tasks = new Map<string, Task>();

export function beginTask({ id }: Pick<Call, "id">, count: number): string {
  const name = `task-${id}-${tasks.size}`;
  tasks.set(name, { count, looks: 0, isCancelled: false });
  return name;
}

export function isTask(name: string): boolean {
  return tasks.has(name);
}

/**
 * Returns the state of a task: running at the first call, done at the next. The behaviour `endless` runs until cancelled; `error-in-stream`
 * fails.
 */
export function lookAtTask(
  name: string,
  { kind }: Call["behaviour"],
): { readonly state: TaskState; readonly count: number } {
  const task = taskAt(name);
  task.looks += 1;
  const state = kind === "endless" || task.looks === 1 ? "running" : kind === "error-in-stream" ? "failed" : "done";
  return { state: task.isCancelled ? "cancelled" : state, count: task.count };
}

export function cancelTask(name: string): void {
  taskAt(name).isCancelled = true;
}

function taskAt(name: string): Task {
  return tasks.get(name) ?? refuse("There is no such task.", { status: 404 });
}
