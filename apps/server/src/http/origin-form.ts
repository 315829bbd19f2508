import type { IncomingMessage } from "node:http";

/** A target that names the whole address: the authority, and the path with its query. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)([/?].*)?$/i;

/** Rewrites a request in absolute form to path and Host (RFC 9112, 3.2.2: the target's authority replaces the Host field). */
export function toOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/")) return;
  const [, authority, rest = "/"] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined) return;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = authority.slice(authority.lastIndexOf("@") + 1);
}
