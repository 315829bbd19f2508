import { parseArgs } from "node:util";
import { CHANNEL_TYPES, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import { parseBehaviour } from "./parse-behaviour.ts";
import { startStubServer } from "./start-stub-server.ts";
import type { StubServerOptions } from "./stub-server-options.ts";

const usage = `Starts a stub provider that speaks the API of every kind of channel.
  --port 8400             port to listen on; 0 (default) is any free one
  --host 127.0.0.1        address to listen on
  --delay-ms 20           wait before each answer
  --chunk-delay-ms 15     wait between two pieces of a stream
  --pieces 40             length of each answer in tokens; without it an echo of the question
  --behaviour '{"kind":"refuse","status":500}'   how to answer, as README.md describes
  --vendor openai         the vendor at the bare address; without it each vendor has its path: /openai, /gemini
  --models gpt-4o,my-model   the models to list
  --key sk-only-this      the only accepted key; without it any key is`;

/** Returns the command-line options, or null for help. Throws an error that names the wrong flag. */
function readOptions(): StubServerOptions | null {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean" },
      port: { type: "string", default: "0" },
      host: { type: "string", default: "127.0.0.1" },
      "delay-ms": { type: "string" },
      "chunk-delay-ms": { type: "string" },
      pieces: { type: "string" },
      behaviour: { type: "string", default: '{"kind":"normal"}' },
      vendor: { type: "string" },
      models: { type: "string" },
      key: { type: "string" },
    },
  });
  if (values.help === true) return null;
  const named = parseBehaviour(behaviourJson(values.behaviour));
  const behaviour = {
    ...named,
    headersDelayMs: optionalCount("--delay-ms", values["delay-ms"]) ?? named.headersDelayMs,
    chunkDelayMs: optionalCount("--chunk-delay-ms", values["chunk-delay-ms"]) ?? named.chunkDelayMs,
    pieces: optionalCount("--pieces", values.pieces) ?? named.pieces,
  };
  return {
    host: values.host,
    port: count("--port", values.port),
    // A separate process has no reader of its records.
    recordLimit: 0,
    behaviour,
    ...(values.vendor === undefined ? {} : { vendor: vendorNamed(values.vendor) }),
    ...(values.models === undefined ? {} : { models: values.models.split(",") }),
    ...(values.key === undefined ? {} : { keys: [values.key] }),
  };
}

function vendorNamed(name: string): ChannelTypeName {
  const info = CHANNEL_TYPES.find((known) => known.name === name);
  if (info !== undefined) return info.name;
  throw new Error(`--vendor must be the name of a channel type such as openai, not ${name}`);
}

function behaviourJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--behaviour must be JSON such as '{"kind":"normal"}', not ${text}`);
  }
}

function optionalCount(flag: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : count(flag, text);
}

function count(flag: string, text: string): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= 0) return value;
  throw new Error(`${flag} must be a whole number of 0 or more, not ${text}`);
}

try {
  const options = readOptions();
  if (options === null) {
    console.log(usage);
  } else {
    const upstream = await startStubServer(options);
    console.log(`stub server: ${upstream.url}`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void upstream.close());
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(usage);
  process.exitCode = 1;
}
