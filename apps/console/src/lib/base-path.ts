/** Path under which a reverse proxy shows the gateway, such as `/gateway`; empty without one. The server writes it into the page. */
export const basePath = readBasePath();

/** Address of this console's root, without a trailing slash. */
export const consoleAddress = () => window.location.origin + basePath;

/** Adds the base path to a path of this server. Whole addresses stay. */
export function withBasePath(address: string): string {
  return address.startsWith("/") && !address.startsWith("//") ? basePath + address : address;
}

function readBasePath(): string {
  const path = document.querySelector<HTMLMetaElement>("meta[name=base-path]")?.content ?? "";
  return path.startsWith("/") ? path : "";
}
