import type { Format } from "../../format.ts";
import type { RealtimeConfiguration, RealtimeEvent, RealtimeRequest, RefusedRequest } from "../../realtime-side.ts";
import { isRecord, type JsonRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { NO_USAGE } from "../../usage.ts";
import { MEDIA, openAiFormat } from "./openai-format.ts";
import { readUsage } from "./read-usage.ts";
import { atTier } from "./service-tier.ts";

/** Of generated audio. Source: https://platform.openai.com/docs/guides/realtime-costs */
const SPOKEN_TOKENS_PER_SECOND = 20;

/**
 * OpenAI's WebSocket sessions for speech and text, in the current form and the beta's.
 * Sources: https://platform.openai.com/docs/api-reference/realtime-client-events,
 * https://platform.openai.com/docs/api-reference/realtime-server-events
 */
export const openAiRealtime: Format = {
  ...openAiFormat("openai-realtime", MEDIA),
  answerText: () => "",
  closing: "",
  errorEvent: (errorJson) => {
    const { error } = recordOf(parseJson(errorJson));
    return JSON.stringify({ type: "error", event_id: "", error: { ...recordOf(error), event_id: null } });
  },
  realtime: {
    spokenTokensPerSecond: SPOKEN_TOKENS_PER_SECOND,
    readRequest,
    readEvents: (event) => [readEvent(event)],
    withModel,
  },
};

function readRequest(event: JsonRecord): RealtimeRequest {
  switch (event.type) {
    case "session.update":
    case "transcription_session.update": {
      const session = recordOf(event.session);
      const isOther = event.type !== "session.update" || (session.type ?? "realtime") !== "realtime";
      if (isOther) return refused("session.type", "Sessions that only write down what they hear are not offered.");
      return { kind: "configure", ...configurationOf(session) };
    }
    case "response.create": {
      const response = recordOf(event.response);
      if (response.model !== undefined) {
        return refused("response.model", "The model of a session cannot be changed. Open another session.");
      }
      return { kind: "start", mostTokens: limitOf(response) };
    }
    case "input_audio_buffer.append":
      return { kind: "audio" };
    default:
      return { kind: "content" };
  }
}

function refused(field: string, message: string): RefusedRequest {
  return { kind: "refused", field, message };
}

function withModel(event: JsonRecord, model: string): JsonRecord {
  return { ...event, session: { ...recordOf(event.session), model } };
}

function configurationOf(session: JsonRecord): RealtimeConfiguration {
  const { input, output } = recordOf(session.audio);
  const transcription = recordOf(input).transcription ?? session.input_audio_transcription;
  const format = recordOf(output).format ?? session.output_audio_format;
  return {
    model: typeof session.model === "string" ? session.model : undefined,
    transcriptionModel: transcription === undefined ? undefined : textOf(recordOf(transcription).model),
    bytesPerSecond: format === undefined ? undefined : bytesPerSecond(format),
    mostTokens: limitOf(session),
  };
}

function limitOf(options: JsonRecord): number | undefined {
  const limit = options.max_output_tokens ?? options.max_response_output_tokens;
  return limit === "inf" ? Number.POSITIVE_INFINITY : numberOf(limit);
}

/** 16-bit PCM at 24 kHz, and 8-bit telephone audio at 8 kHz. */
const [PCM_BYTES, TELEPHONE_BYTES] = [48_000, 8_000] as const;

function bytesPerSecond(format: unknown): number {
  const name = textOf(format) || textOf(recordOf(format).type);
  return /pcm[ua]|g711/i.test(name) ? TELEPHONE_BYTES : PCM_BYTES;
}

/** Delta events in the current form and the beta's. Transcripts are charged beside their audio. */
const TEXT_DELTA =
  /^response\.(?:output_text|text|output_audio_transcript|audio_transcript|function_call_arguments|mcp_call_arguments)\.delta$/;
const AUDIO_DELTA = /^response\.(?:output_)?audio\.delta$/;
const TRANSCRIPT = "conversation.item.input_audio_transcription.";

function readEvent(event: JsonRecord): RealtimeEvent {
  const type = textOf(event.type);
  const answerId = textOf(event.response_id);
  if (TEXT_DELTA.test(type)) return { kind: "text", answerId, text: textOf(event.delta) };
  if (AUDIO_DELTA.test(type)) return { kind: "audio", answerId, bytes: bytesInBase64(textOf(event.delta)) };
  if (type.startsWith(TRANSCRIPT)) return readTranscript(type.slice(TRANSCRIPT.length), event);
  switch (type) {
    case "session.created":
    case "session.updated":
      return { kind: "session", ...configurationOf(recordOf(event.session)) };
    case "response.created":
      return { kind: "answer-start", answerId: textOf(recordOf(event.response).id) };
    case "response.done":
      return readEnd(recordOf(event.response));
    case "input_audio_buffer.committed":
      return { kind: "speech-committed", itemId: textOf(event.item_id) };
    case "error":
      return { kind: "error" };
    default:
      return { kind: "other" };
  }
}

function readEnd(response: JsonRecord): RealtimeEvent {
  const status = textOf(response.status);
  return {
    kind: "answer-end",
    answerId: textOf(response.id),
    end: status === "failed" || status === "cancelled" ? status : "complete",
    inConversation: response.conversation_id !== null,
    usage: atTier(usageOf(response.usage), response),
  };
}

function readTranscript(name: string, event: JsonRecord): RealtimeEvent {
  const itemId = textOf(event.item_id);
  if (name === "completed" || name === "failed")
    return { kind: "transcript-end", itemId, text: textOf(event.transcript), usage: usageOf(event.usage) };
  return { kind: "transcript", itemId, text: textOf(event.delta) || textOf(event.text) };
}

/**
 * Reads a report in tokens, or in seconds for some models that only transcribe. The names of the details are singular
 * here.
 */
function usageOf(report: unknown): Usage | undefined {
  if (!isRecord(report)) return undefined;
  const seconds = numberOf(report.seconds);
  if (report.type === "duration" && seconds !== undefined) return { ...NO_USAGE, seconds: Math.ceil(seconds) };
  const { input_token_details: input, output_token_details: output } = report;
  return readUsage({
    usage: {
      ...report,
      ...(isRecord(input) && { input_tokens_details: input }),
      ...(isRecord(output) && { output_tokens_details: output }),
    },
  });
}

function bytesInBase64(text: string): number {
  return Math.floor((text.length * 3) / 4);
}
