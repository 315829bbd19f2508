/** Cuts a text inside its first character of several bytes; null when every character is one byte. */
export function splitInsideCharacter(text: string): [Buffer, Buffer] | null {
  const bytes = Buffer.from(text);
  const firstByte = bytes.findIndex((byte) => byte >= 0xc0);
  return firstByte === -1 ? null : [bytes.subarray(0, firstByte + 1), bytes.subarray(firstByte + 1)];
}
