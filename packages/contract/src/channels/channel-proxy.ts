export const PROXY_PROTOCOLS = ["http:", "https:", "socks5:", "socks5h:"] as const;

/** A channel with this text in place of a proxy's address uses none, also not the setting HttpProxy. */
export const DIRECT = "direct";

const HIDDEN_LOGIN = "***@";

function parseProxy(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === "" || !PROXY_PROTOCOLS.some((known) => known === url.protocol))
    return undefined;
  const isBare = (url.pathname === "" || url.pathname === "/") && url.search === "" && url.hash === "";
  return isBare ? url : undefined;
}

/** True for a channel's proxy: an address, `direct`, or empty for the setting HttpProxy. */
export function isChannelProxy(text: string): boolean {
  return text === "" || text === DIRECT || parseProxy(text) !== undefined;
}

/** Returns a channel's proxy without user name and password. */
export function hideProxyLogin(text: string): string {
  const url = parseProxy(text);
  if (url === undefined) return text;
  return `${url.protocol}//${hasProxyLogin(text) ? HIDDEN_LOGIN : ""}${url.host}`;
}

export function hasProxyLogin(text: string): boolean {
  const url = parseProxy(text);
  return url !== undefined && (url.username !== "" || url.password !== "");
}

/** True for a text from `hideProxyLogin` that had a login. */
export function isProxyLoginHidden(text: string): boolean {
  return text.includes(`//${HIDDEN_LOGIN}`);
}
