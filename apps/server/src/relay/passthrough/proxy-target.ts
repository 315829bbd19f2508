import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../errors/index.ts";
import { passingHeaders } from "./forward.ts";

/** What a proxied request asks for: a channel, and what stands behind its address. */
export interface ProxyTarget {
  readonly channelId: number;
  /** Begins with a slash. */
  readonly rest: string;
  /** Without a question mark; empty without one. */
  readonly query: string;
}

const PROXY_PATH = /^\/v1\/oneapi\/proxy\/([^/?]+)(\/[^?]*)?(?:\?(.*))?$/;

/** Reads an address as a proxied request's; undefined for all others. Throws a 400 RelayError for what leads out of the channel's address. */
export function readProxyTarget(url: string): ProxyTarget | undefined {
  const [, channel, rest = "/", query = ""] = PROXY_PATH.exec(url) ?? [];
  if (channel === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(channel)) throw badPath("Name a channel by its number: /v1/oneapi/proxy/CHANNELID/….");
  if (climbs(rest)) throw badPath("The path must not hold . or .. between slashes.");
  return { channelId: Number(channel), rest, query };
}

/** Nobody unpacks a path more often than this. */
const MOST_DECODED = 5;

/** True when some part of the path is `.` or `..`, however it is packed. */
function climbs(path: string): boolean {
  let unpacked = path;
  for (let times = 0; times < MOST_DECODED; times += 1) {
    if (unpacked.split(/[/\\]/).some((part) => /^\.{1,2}(?:;|$)/.test(part))) return true;
    const next = unpacked.replaceAll(/%(?:25|2e|2f|5c)/gi, (packed) => decodeURIComponent(packed));
    if (next === unpacked) return false;
    unpacked = next;
  }
  return true;
}

/** The address behind the channel's own. Parameters that hold the caller's key are left out. */
export function targetUrl(base: URL, { rest, query }: ProxyTarget, bareKey: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + rest;
  const kept = query.split("&").filter((parameter) => parameter !== "" && !holdsKey(parameter, bareKey));
  url.search = [...(base.search === "" ? [] : [base.search.slice(1)]), ...kept].join("&");
  url.hash = "";
  return url;
}

/** What stays here: whose request it is, what browsers keep for the gateway, and what a server in front has added. */
const HELD_BACK =
  /^(?:host|authorization|cookie2?|accept-encoding|expect|origin|referer|sec-.*|x-forwarded-.*|forwarded|x-real-ip|via|cdn-loop)$/;

/** The caller's headers for the provider, with the channel's key as it was entered. None holds the caller's own key. */
export function targetHeaders(
  headers: IncomingHttpHeaders,
  bareKey: string,
  channelKey: string,
): Record<string, string | string[]> {
  const passing = passingHeaders(headers, (name, value) => HELD_BACK.test(name) || holdsKey(value, bareKey));
  return { ...passing, ...(channelKey !== "" && { authorization: channelKey }), "accept-encoding": "identity" };
}

function holdsKey(text: string, bareKey: string): boolean {
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
