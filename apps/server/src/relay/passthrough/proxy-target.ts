import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../errors/index.ts";
import { passingHeaders } from "./forward.ts";

export interface ProxyTarget {
  readonly channelId: number;
  readonly rest: string;
  readonly query: string;
}

const PROXY_PATH = /^\/v1\/oneapi\/proxy\/([^/?]+)(\/[^?]*)?(?:\?(.*))?$/;

/** Undefined for other addresses. Throws a 400 RelayError for a path that leaves the channel's address. */
export function readProxyTarget(url: string): ProxyTarget | undefined {
  const [, channel, rest = "/", query = ""] = PROXY_PATH.exec(url) ?? [];
  if (channel === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(channel)) throw badPath("Name a channel by its number: /v1/oneapi/proxy/CHANNELID/….");
  if (climbs(rest)) throw badPath("The path must not hold . or .. between slashes.");
  return { channelId: Number(channel), rest, query };
}

/** More layers of encoding than any server decodes. */
const MAX_DECODED = 5;

/** True if a segment is `.` or `..` in any encoding. */
function climbs(path: string): boolean {
  let unpacked = path;
  for (let times = 0; times < MAX_DECODED; times += 1) {
    if (unpacked.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;|$)/.test(segment))) return true;
    const next = unpacked.replaceAll(/%(?:25|2e|2f|5c)/gi, (packed) => decodeURIComponent(packed));
    if (next === unpacked) return false;
    unpacked = next;
  }
  return true;
}

export function targetUrl(base: URL, { rest, query }: ProxyTarget, bareKey: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + rest;
  const forwarded = query.split("&").filter((parameter) => parameter !== "" && !containsKey(parameter, bareKey));
  url.search = [...(base.search === "" ? [] : [base.search.slice(1)]), ...forwarded].join("&");
  url.hash = "";
  return url;
}

/** Headers about the caller, for the gateway alone, or added by a proxy in front. */
const DROPPED_HEADERS =
  /^(?:host|authorization|cookie2?|accept-encoding|expect|origin|referer|sec-.*|x-forwarded-.*|forwarded|x-real-ip|via|cdn-loop)$/;

export function targetHeaders(
  headers: IncomingHttpHeaders,
  bareKey: string,
  channelKey: string,
): Record<string, string | string[]> {
  const passing = passingHeaders(headers, (name, value) => DROPPED_HEADERS.test(name) || containsKey(value, bareKey));
  return { ...passing, ...(channelKey !== "" && { authorization: channelKey }), "accept-encoding": "identity" };
}

function containsKey(text: string, bareKey: string): boolean {
  return text.includes(bareKey) || decoded(text).includes(bareKey);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function badPath(message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_path", message });
}
