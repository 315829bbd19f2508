import { EventStreamCodec } from "@smithy/core/event-streams";
import type { StreamFraming } from "../../../stub-kit/call.ts";

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/**
 * Encodes a message of Amazon's event stream by Amazon's own codec. A name that ends with `exception` is an exception.
 * Source: https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function encodeAwsMessage(name: string, payload: string): Buffer {
  const kind = /exception$/i.test(name) ? "exception" : "event";
  const text = (value: string) => ({ type: "string", value }) as const;
  const headers = {
    [`:${kind}-type`]: text(name),
    ":content-type": text("application/json"),
    ":message-type": text(kind),
  };
  return Buffer.from(codec.encode({ headers, body: Buffer.from(payload) }));
}

/** Errors inside a stream are exceptions. */
export const AWS_MESSAGES: StreamFraming = {
  contentType: "application/vnd.amazon.eventstream",
  encode: ({ name = "", data }) => encodeAwsMessage(name === "error" ? "modelStreamErrorException" : name, data),
};
