import { crc32 } from "node:zlib";

const TEXT_TYPE = 7;

/** A message of Amazon's event stream; a name that ends so is an exception. Source: https://smithy.io/2.0/aws/amazon-eventstream.html */
export function encodeAwsMessage(name: string, payload: string): Buffer {
  const isException = /exception$/i.test(name);
  const headers = Buffer.concat([
    header(isException ? ":exception-type" : ":event-type", name),
    header(":content-type", "application/json"),
    header(":message-type", isException ? "exception" : "event"),
  ]);
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(12 + headers.length + body.length + 4);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([TEXT_TYPE]),
    length,
    Buffer.from(value),
  ]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
