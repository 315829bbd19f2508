import type { ChannelType } from "@one-api/contract/channel-types";

/** What the gateway knows of providers' models without asking them. */
export interface ModelCatalogue {
  /** Models that a new channel of the type is offered, today's first. */
  modelsOfType(type: ChannelType): readonly string[];
  /** Dollars per million output tokens at the type's provider, or by the name alone; undefined when unknown. */
  outputPrice(model: string, type: ChannelType | undefined): number | undefined;
}
