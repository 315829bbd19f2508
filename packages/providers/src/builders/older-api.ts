import { isOlderKey } from "@one-api/contract/channels/channel-types";
import type { Endpoint, Provider, Service } from "../provider.ts";

/** Calls the older API of a provider with keys of several parts, and its current API with all others. */
export function withOlderApi(
  today: Provider,
  older: (endpoint: Endpoint, model: string) => Service | undefined,
): Provider {
  const { type, listModels } = today;
  return {
    ...today,
    serve: (endpoint, model, switches, connection) =>
      isOlderKey(type, connection?.key ?? "")
        ? older(endpoint, model)
        : today.serve(endpoint, model, switches, connection),
    ...(listModels && {
      async listModels(connection, getJson, io) {
        if (!isOlderKey(type, connection.key)) return await listModels(connection, getJson, io);
        throw new Error("The provider's older API, which takes keys of several parts, does not list its models.");
      },
    }),
  };
}
