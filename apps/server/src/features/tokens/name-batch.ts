import { AppError } from "../../core/app-error.ts";

const MAX_NAME_LENGTH = 64;

/** The names of a batch: the name itself for one token, else name-1, name-2 and so on. Throws `invalid-input` when they get too long. */
export function nameBatch(name: string, count: number): string[] {
  if (count === 1) return [name];
  const longest = MAX_NAME_LENGTH - `-${count}`.length;
  if (name.length > longest) {
    throw new AppError(
      "invalid-input",
      `name must be at most ${longest} characters long for ${count} tokens, which get a number each.`,
      {
        field: "name",
      },
    );
  }
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}
