import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const MEMORY_DISK = "/dev/shm";
const ENOUGH_BYTES = 1024 ** 3;

const folders = new Set<string>();
let removesAtExit = false;

/** Makes a folder, in memory where there is room: tests ask for durability but need not wait for a disk. */
export function makeTemporaryFolder(prefix: string): string {
  return mkdtempSync(path.join(hasRoom(MEMORY_DISK) ? MEMORY_DISK : os.tmpdir(), prefix));
}

/** Makes a folder that is gone when the process ends. */
export function temporaryFolder(prefix: string): string {
  const folder = makeTemporaryFolder(prefix);
  if (!removesAtExit) process.once("exit", removeAll);
  removesAtExit = true;
  folders.add(folder);
  return folder;
}

/** Removes a folder made by `temporaryFolder` now. */
export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
