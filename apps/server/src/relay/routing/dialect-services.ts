import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { CHANNEL_DIALECTS } from "@one-api/contract/channels/channel-constants";
import type { DialectUrls } from "@one-api/contract/channels/channel-json";
import { speakerOf } from "@one-api/contract/channels/channel-types";
import type { Endpoint, ProviderSwitches, Service } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";

/**
 * Returns the service of an endpoint at a channel that speaks dialects at addresses of their own. `own`: the service of
 * its type. Undefined if neither serves the endpoint.
 */
export function serveDialects(
  urls: DialectUrls,
  own: Service | undefined,
  endpoint: Endpoint,
  model: string,
  switches: ProviderSwitches,
): Service | undefined {
  const services = new Map<string, Service>();
  for (const dialect of CHANNEL_DIALECTS) {
    const url = urls[dialect];
    if (url === undefined || (dialect === "responses" && endpoint !== "responses")) continue;
    const service = providerOf(speakerOf(dialect))?.serve(endpoint, model, { ...switches, geminiNative: true });
    if (service?.exact === true) services.set(service.format.name, serviceAt(service, url));
  }
  const [first] = services.values();
  const usual = own ?? first;
  return usual && services.size > 0 ? { ...usual, byFormat: services } : usual;
}

/** The service at another address. Each connection of the channel has one there, because services cache by connection. */
function serviceAt(service: Service, baseUrl: string): Service {
  const moved = new WeakMap<ChannelConnection, ChannelConnection>();
  return {
    ...service,
    baseUrl,
    call(request, connection, io, requester) {
      const there = moved.get(connection) ?? { ...connection, baseUrl };
      moved.set(connection, there);
      return service.call(request, there, io, requester);
    },
  };
}
