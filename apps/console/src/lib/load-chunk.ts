import { CHUNK_LOAD_TIMEOUT_MS } from "@one-api/contract/constants";

/** Loads a part of the console; rejects with an error that says so when it takes longer than two minutes. */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`a part of the console did not load within ${CHUNK_LOAD_TIMEOUT_MS / 1_000} s`)),
      CHUNK_LOAD_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([load(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
