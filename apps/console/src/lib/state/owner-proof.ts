import { createExternalStore } from "./external-store.ts";

/** A call that waits until the user has shown the password or a second factor. */
interface ProofRequest {
  /** True once it was shown, false when the user gave up. */
  readonly settled: Promise<boolean>;
  settle(isProven: boolean): void;
}

const requestStore = createExternalStore<ProofRequest | undefined>(undefined);

/** The proof that a call waits for; the component follows changes. */
export const useProofRequest = () => requestStore.use();

/**
 * Asks for the password or a second factor over the page. Resolves to true on success, to false if the user cancels.
 */
export function askForProof(): Promise<boolean> {
  const waiting = requestStore.get();
  if (waiting !== undefined) return waiting.settled;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  requestStore.set({ settled: promise, settle: resolve });
  return promise;
}

/** Continues or fails the waiting calls. */
export function settleProof(isProven: boolean): void {
  const request = requestStore.get();
  requestStore.set(undefined);
  request?.settle(isProven);
}
