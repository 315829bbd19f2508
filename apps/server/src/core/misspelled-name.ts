/** Shorter names resemble many other variables (POST, HOSTS). */
const LEAST_LENGTH = 6;

/**
 * Returns the known name that differs only in case, underscores, or one missing, added, replaced or swapped
 * letter.
 * Short names match only with two swapped letters or one doubled.
 */
export function misspelledName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const letters = lettersOf(name);
  return known.find((right) =>
    right.length < LEAST_LENGTH ? isSlip(name, right) : isOneEditAway(letters, lettersOf(right)),
  );
}

function lettersOf(name: string): string {
  return name.toUpperCase().replaceAll("_", "");
}

function isSlip(name: string, right: string): boolean {
  if (isSwapped(name, right)) return true;
  const at = firstDifference(name, right);
  return name.length === right.length + 1 && name[at] === name[at - 1] && name.slice(at + 1) === right.slice(at);
}

function isOneEditAway(name: string, right: string): boolean {
  if (name === right) return true;
  const at = firstDifference(name, right);
  const [restOfName, restOfRight] = [name.slice(at), right.slice(at)];
  const isAdded = restOfName.slice(1) === restOfRight;
  const isMissing = restOfName === restOfRight.slice(1);
  const isReplaced = restOfName.slice(1) === restOfRight.slice(1);
  return isAdded || isMissing || isReplaced || isSwapped(name, right);
}

function isSwapped(name: string, right: string): boolean {
  const at = firstDifference(name, right);
  if (at === name.length) return false;
  const swapped = `${name[at + 1] ?? ""}${name[at] ?? ""}${name.slice(at + 2)}`;
  return swapped === right.slice(at);
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}
