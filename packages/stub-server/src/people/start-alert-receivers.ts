import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { isJsonObject } from "@one-api/providers/stub-kit/json-fields";
import { serveOnLoopback } from "./serve-on-loopback.ts";

/** Kinds of receivers that the stub imitates, each at the path of its name. */
export const STUB_RECEIVERS = ["webhook", "slack", "feishu", "dingtalk", "wecom", "telegram", "discord"] as const;

type StubKind = (typeof STUB_RECEIVERS)[number];

interface ReceivedRequest {
  readonly kind: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Servers of chats and webhooks on the loopback address, in one. */
export interface StubReceivers {
  readonly origin: string;
  readonly received: readonly ReceivedRequest[];
  /** Number of all requests. */
  readonly requests: number;
  /** `refuse`: as the vendor refuses. Initially `accept`. */
  mode: "accept" | "refuse" | "redirect" | "break";
  /** Signing secret of Feishu's and DingTalk's robots. */
  readonly robotSecret: string;
  readonly webhookSecret: string;
  readonly botToken: string;
  close(): Promise<void>;
}

interface StubAnswer {
  readonly status: number;
  readonly body: string;
}

const json = (body: unknown, status = 200): StubAnswer => ({ status, body: JSON.stringify(body) });

const ACCEPTED: Readonly<Record<StubKind, StubAnswer>> = {
  webhook: { status: 204, body: "" },
  slack: { status: 200, body: "ok" },
  feishu: json({ StatusCode: 0, StatusMessage: "success", code: 0, data: {}, msg: "success" }),
  dingtalk: json({ errcode: 0, errmsg: "ok" }),
  wecom: json({ errcode: 0, errmsg: "ok" }),
  telegram: json({ ok: true, result: { message_id: 1 } }),
  discord: { status: 204, body: "" },
};

/** The path is repeated, as a server may do, so that tests see whether secrets are hidden. */
const REFUSED: Readonly<Record<StubKind, (path: string) => StubAnswer>> = {
  webhook: (path) => ({ status: 500, body: `cannot serve ${path}` }),
  slack: () => ({ status: 404, body: "no_service" }),
  feishu: () =>
    json({ code: 19021, data: {}, msg: "sign match fail or timestamp is not within one hour from current time" }),
  dingtalk: () => json({ errcode: 310000, errmsg: "sign not match" }),
  wecom: () => json({ errcode: 93000, errmsg: "invalid webhook url" }),
  telegram: () => json({ ok: false, error_code: 401, description: "Unauthorized" }, 401),
  discord: () => json({ message: "Unknown Webhook", code: 10015 }, 404),
};

export async function startAlertReceivers(): Promise<StubReceivers> {
  const received: ReceivedRequest[] = [];
  let requests = 0;
  const { url: origin, close } = await serveOnLoopback((request, response) => {
    requests += 1;
    void text(request).then((sent) => {
      if (stub.mode === "break") return request.socket.destroy();
      if (stub.mode === "redirect") return response.writeHead(307, { location: `${stub.origin}/slack` }).end();
      const url = new URL(request.url ?? "/", stub.origin);
      const kind = url.pathname.startsWith("/bot") ? "telegram" : url.pathname.split("/")[1];
      const known = STUB_RECEIVERS.find((each) => each === kind);
      if (known === undefined) return response.writeHead(404).end();
      const body: unknown = JSON.parse(sent);
      const one = {
        kind: known,
        path: url.pathname,
        headers: request.headers,
        text: sent,
        body: isJsonObject(body) ? body : {},
      };
      const isAccepted = stub.mode === "accept" && isGenuine(known, { ...one, url }, stub);
      if (isAccepted) received.push(one);
      const answer = isAccepted ? ACCEPTED[known] : REFUSED[known](url.pathname);
      return response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  const stub: StubReceivers = {
    origin,
    received,
    get requests() {
      return requests;
    },
    mode: "accept",
    robotSecret: "SECrobotsecret",
    webhookSecret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    botToken: "123456:AAH-telegram-bot-token-of-tests",
    close,
  };
  return stub;
}

/** Checks the signature, or the token, as the vendor does. */
function isGenuine(
  kind: StubKind,
  { url, body, headers, text: sent }: ReceivedRequest & { readonly url: URL },
  { robotSecret, webhookSecret, botToken }: StubReceivers,
): boolean {
  const sign = (key: string | Buffer, signed: string) => createHmac("sha256", key).update(signed).digest("base64");
  switch (kind) {
    case "webhook": {
      const key = Buffer.from(webhookSecret.replace("whsec_", ""), "base64");
      const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${sent}`;
      return headers["webhook-signature"] === `v1,${sign(key, signed)}`;
    }
    case "feishu":
      return body["sign"] === sign(`${String(body["timestamp"])}\n${robotSecret}`, "");
    case "dingtalk":
      return url.searchParams.get("sign") === sign(robotSecret, `${url.searchParams.get("timestamp")}\n${robotSecret}`);
    case "telegram":
      return url.pathname === `/bot${botToken}/sendMessage`;
    default:
      return true;
  }
}
