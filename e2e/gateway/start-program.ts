import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

/** Returns a port of this machine that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts a server program and resolves when it accepts connections on `port`. It is killed after the test, or by `kill`. */
export async function startProgram(
  t: TestContext,
  program: string,
  options: readonly string[],
  port: number,
): Promise<{ kill(): Promise<void> }> {
  const child = spawn(program, options, { stdio: "ignore" });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  t.after(kill);
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`);
    await wait(20);
  }
  return { kill };
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
