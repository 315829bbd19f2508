import { setTimeout as pause } from "node:timers/promises";

/** Waits until the condition holds, however slow the machine is: what never comes about ends with the time of the test that waits. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(10);
}
