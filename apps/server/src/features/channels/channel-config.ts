import {
  type ChannelConfig,
  type ChannelCosts,
  type DialectUrls,
  channelConfigSchema,
  modelCostSchema,
  modelMappingSchema,
  storedDialectUrlsSchema,
} from "@one-api/contract/channels/channel-json";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { z } from "zod";
import type { Secrets } from "../../core/secrets.ts";

/** `open`: readable by every administrator. `secret`: sent to the provider only. */
export interface SplitConfig {
  readonly open: ChannelConfig;
  readonly secret: ChannelConfig;
}

export interface StoredConfig {
  readonly config: string;
  readonly config_cipher: string;
}

const SECRET_NAMES: ReadonlySet<string | undefined> = new Set(
  CHANNEL_TYPES.flatMap(({ key }) => key?.parts.filter((part) => part.isSecret === true) ?? []).map(
    (part) => part.config,
  ),
);
const SECRET_LOOK = /key|secret|token|passw|credential|private|auth|adc|cookie|bearer|signature/i;

interface KeyAndConfig {
  readonly key: string;
  readonly config: ChannelConfig;
}

/** Shorter parts of a key are not secret, and hiding them would remove plain words. */
const SHORTEST_SECRET = 8;
const MAX_CLEANED_LENGTH = 1_000;

/** Splits a config. Secrets without a value are dropped: the form sends them back empty. */
export function splitConfig(config: ChannelConfig): SplitConfig {
  const open: ChannelConfig = {};
  const secret: ChannelConfig = {};
  for (const [name, value] of Object.entries(config)) {
    if (!holdsSecret(name, value)) open[name] = value;
    else if (value !== "" && value !== null) secret[name] = value;
  }
  return { open, secret };
}

export function storeConfig({ open, secret }: SplitConfig, secrets: Secrets): StoredConfig {
  return {
    config: Object.keys(open).length === 0 ? "" : JSON.stringify(open),
    config_cipher: Object.keys(secret).length === 0 ? "" : secrets.seal("channel-config", JSON.stringify(secret)),
  };
}

/** Throws if the secrets cannot be decrypted. */
export function openConfig(stored: StoredConfig, secrets: Secrets, place: string): SplitConfig {
  const secret = stored.config_cipher === "" ? "" : secrets.open("channel-config", stored.config_cipher, place);
  return { open: parseConfig(stored.config), secret: parseConfig(secret) };
}

export function parseConfig(text: string): ChannelConfig {
  return text === "" ? {} : channelConfigSchema.parse(JSON.parse(text));
}

export function readModelMapping(text: string): ReadonlyMap<string, string> {
  return text === "" ? new Map() : new Map(Object.entries(modelMappingSchema.parse(JSON.parse(text))));
}

const storedCostsSchema = z.record(z.string(), z.unknown());

/** Costs without those that only a later release can read. */
export function readCosts(text: string): ChannelCosts {
  if (text === "") return {};
  const stored = Object.entries(storedCostsSchema.parse(JSON.parse(text)));
  return Object.fromEntries(
    stored.flatMap(([model, value]) => {
      const cost = modelCostSchema.safeParse(value);
      return cost.success ? [[model, cost.data]] : [];
    }),
  );
}

export function readDialectUrls(text: string): DialectUrls {
  return text === "" ? {} : storedDialectUrlsSchema.parse(JSON.parse(text));
}

/** Replaces the channel's secrets, which some providers repeat in errors, and cuts the text at 1,000 characters. */
export function hideSecrets(text: string, connection: KeyAndConfig): string {
  const secrets = [
    connection.key,
    ...connection.key.split(/[|\n]/),
    connection.config.ak ?? "",
    ...secretTexts(connection.config),
  ]
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length);
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text).slice(0, MAX_CLEANED_LENGTH);
}

function secretTexts(config: ChannelConfig): string[] {
  return textsIn(splitConfig(config).secret);
}

function holdsSecret(name: string, value: unknown): boolean {
  if (SECRET_NAMES.has(name) || SECRET_LOOK.test(name)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([inner, part]) => holdsSecret(inner, part));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
