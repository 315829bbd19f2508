import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { isAdmin } from "@one-api/contract/accounts/roles";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { Caller } from "../callers/index.ts";
import { channelDisabled } from "../routing/index.ts";
import { hopHeaders, readHops } from "../upstream/index.ts";
import { RelayError } from "../errors/index.ts";
import { logPassthrough } from "./log-passthrough.ts";
import { forward, sendAnswer, type PassthroughRequest } from "./forward.ts";
import { type ProxyTarget, targetHeaders, targetUrl } from "./proxy-target.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** Free, but logged. Throws RelayError if the request is not allowed or unanswered. */
export async function serveProxy(
  services: PassthroughServices,
  call: PassthroughRequest,
  target: ProxyTarget,
): Promise<void> {
  const { caller, request, key } = call;
  const channel = await findProxy(services, caller, target.channelId);
  const admission = await services.limiter.admit(caller.limits);
  const method = request.method ?? "GET";
  const { headers } = request;
  const hops = readHops(headers);
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  const outgoing = {
    channel,
    method,
    url: targetUrl(new URL(channel.connection.baseUrl), target, key),
    headers: {
      ...targetHeaders(headers, key, channel.connection.key),
      ...hopHeaders(channel.connection.baseUrl, hops),
    },
    body: hasBody ? request : undefined,
  };
  const row = { model: "proxy", content: `Passed on ${method} ${target.rest}.`, channelId: channel.id };
  try {
    await logPassthrough(services, call, row, (answered) =>
      forward(services, call, outgoing, (answer, signal) => {
        answered(answer.statusCode);
        return sendAnswer(call, answer, signal);
      }),
    );
  } finally {
    admission.settle(0);
  }
}

/** Administrators may use any channel, others one of their groups that has a model their token allows. */
async function findProxy(services: PassthroughServices, caller: Caller, channelId: number): Promise<ChannelForRelay> {
  const channel = await services.loadChannel(channelId);
  const isForAll = isAdmin(caller.userRole);
  if (!isForAll && (channel === undefined || !isOpenTo(channel, caller))) {
    throw refused(403, "channel_not_allowed", `This API key may not pass requests to channel ${channelId}.`);
  }
  if (channel === undefined) throw refused(400, "invalid_channel", `There is no channel ${channelId}.`);
  if (channelTypeInfo(channel.type)?.name !== "proxy") {
    throw refused(400, "invalid_channel", `Channel ${channelId} is not of the type Proxy.`);
  }
  if (caller.moderated) {
    const message = "This API key sends prompts through moderation first, and what is passed on cannot be read.";
    throw refused(403, "moderation_unavailable", message);
  }
  if (channel.status !== CHANNEL_STATUS.enabled) throw channelDisabled(channelId);
  return channel;
}

function isOpenTo({ type, groups, models }: ChannelForRelay, caller: Caller): boolean {
  if (channelTypeInfo(type)?.name !== "proxy") return false;
  if (!groups.some((group) => caller.groups.includes(group))) return false;
  return [...models].some((model) => caller.models === undefined || caller.models.has(model));
}

function refused(status: number, code: string, message: string): RelayError {
  return new RelayError({ status, type: "invalid_request_error", code, message });
}
