import { openAiErrorBody, RequestRefused } from "./refusal.ts";
import type { Call } from "./call.ts";

/** How a task stands. */
export type TaskState = "running" | "done" | "failed" | "cancelled";

interface Task {
  readonly count: number;
  looks: number;
  isCancelled: boolean;
}

const tasks = new Map<string, Task>();

/** Begins a task for so many pictures and returns its id. */
export function beginTask({ id }: Pick<Call, "id">, count: number): string {
  const name = `task-${id}-${tasks.size}`;
  tasks.set(name, { count, looks: 0, isCancelled: false });
  return name;
}

/** True for tasks that make pictures. */
export function isTask(name: string): boolean {
  return tasks.has(name);
}

/**
 * How a task stands: it runs at the first look and is done at the next. With the behaviour `endless` it goes on until it is cancelled, with
 * `error-in-stream` it fails.
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

/** Cancels a task. */
export function cancelTask(name: string): void {
  taskAt(name).isCancelled = true;
}

function taskAt(name: string): Task {
  const task = tasks.get(name);
  if (task === undefined) throw new RequestRefused(404, openAiErrorBody("There is no such task."));
  return task;
}
