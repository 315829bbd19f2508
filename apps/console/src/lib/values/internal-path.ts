/** Returns the path when it leads inside the console, else undefined: an address from outside must not lead a login astray. */
export function internalPath(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith("/")) return undefined;
  const address = URL.parse(text, window.location.origin);
  if (address === null || address.origin !== window.location.origin) return undefined;
  const path = address.pathname + address.search + address.hash;
  return path.startsWith("//") || address.pathname === "/login" ? undefined : path;
}
