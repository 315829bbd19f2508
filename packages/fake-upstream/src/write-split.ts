import type { Exchange } from "./exchange.ts";
import { splitInsideCharacter } from "./split-inside-character.ts";

const pauseBetweenHalvesMs = 5;

/** Writes a text in two parts that meet inside a character; a text of one-byte characters goes out whole. */
export async function writeSplit(exchange: Exchange, text: string): Promise<void> {
  const halves = splitInsideCharacter(text);
  if (halves === null) {
    exchange.write(text);
    return;
  }
  exchange.write(halves[0]);
  await exchange.pause(pauseBetweenHalvesMs);
  if (!exchange.isClosed) exchange.write(halves[1]);
}
