import type { OutgoingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";

/** Headers that belong to one hop, to one site or to a browser, and so must not travel through a gateway. */
const unsolicited: OutgoingHttpHeaders = {
  "set-cookie": ["session=upstream; Path=/; HttpOnly", "tracking=1; Domain=example.com"],
  server: "fake-upstream/1.0",
  "x-powered-by": "fake-upstream",
  via: "1.1 fake-proxy",
  location: "https://example.com/elsewhere",
  refresh: "0; url=https://example.com/elsewhere",
  link: "<https://example.com/style.css>; rel=preload; as=style",
  "content-security-policy": "default-src 'none'",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "alt-svc": 'h3=":443"; ma=86400',
  "clear-site-data": '"cookies"',
  "proxy-authenticate": 'Basic realm="upstream"',
  "www-authenticate": 'Basic realm="upstream"',
  "keep-alive": "timeout=5, max=10",
  connection: "keep-alive, x-internal-hop",
  "x-internal-hop": "only for the next hop",
  "x-forwarded-for": "192.0.2.1",
};

/** The headers that a behaviour adds to an answer. */
export function addedHeaders(behaviour: Behaviour): OutgoingHttpHeaders {
  return behaviour.kind === "unsolicited-headers" ? unsolicited : {};
}
