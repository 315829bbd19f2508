/** An error whose message is meant for the person at the terminal: shown without a stack. */
export class PlainError extends Error {}

/**
 * Runs a script's main function; a PlainError is printed as its message alone, anything else with its stack. Exit code 1 either way.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  }
}
