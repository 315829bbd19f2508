import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { CHAT, chatBody, type RelayTest, startRelayTest, TEST_MODEL } from "../testing/start-relay-test.ts";

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(attributeSchema),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});
type Span = z.infer<typeof spanSchema>;

interface Receiver {
  readonly url: string;
  readonly server: Server;
  readonly spans: Span[];
  readonly services: Set<unknown>;
  readonly authorization: Set<unknown>;
}

/** Starts an OTLP receiver over HTTP with JSON. */
async function startReceiver(): Promise<Receiver> {
  const received = { spans: new Array<Span>(), services: new Set<unknown>(), authorization: new Set<unknown>() };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { resourceSpans } = exportSchema.parse(JSON.parse(Buffer.concat(pieces).toString()));
      received.authorization.add(request.headers.authorization);
      for (const { resource, scopeSpans } of resourceSpans) {
        received.services.add(valueOf(resource.attributes, "service.name"));
        received.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}`, server, ...received };
}

function valueOf(attributes: readonly z.infer<typeof attributeSchema>[], key: string): unknown {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

describe("traces", () => {
  let receiver: Receiver;
  let gateway: RelayTest;
  const sent: (string | undefined)[] = [];
  let charged = 0;
  before(async () => {
    receiver = await startReceiver();
    gateway = await startRelayTest({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x",
        OTEL_SERVICE_NAME: "gateway",
      },
    });
    await gateway.addChannel({ url: "http://127.0.0.1:1" }, { priority: 10 });
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    const key = await gateway.addToken();
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    await (await gateway.post(CHAT, key, chatBody("hello", { stream: true }), headers)).text();
    await (await gateway.post(CHAT, key, chatBody("hello", { model: "nobody-has-it" }))).text();
    sent.push(...upstream.requests.map((request) => String(request.headers["traceparent"])));
    ({ charged } = await gateway.books());
    await gateway.close();
  });
  after(() => receiver.server.close());

  const traced = () => receiver.spans.filter(({ traceId }) => traceId === TRACE);
  const spanOf = (is: (span: Span) => boolean) => traced().find(is) ?? assert.fail("no such span");

  test("have a span for the request, within the caller's trace", () => {
    const root = spanOf(({ kind }) => kind === 2);
    assert.equal(root.parentSpanId, PARENT);
    assert.equal(root.name, `chat ${TEST_MODEL}`);
    assert.ok(root.endTimeUnixNano > root.startTimeUnixNano);
    const attribute = (key: string) => valueOf(root.attributes, key);
    assert.equal(attribute("gen_ai.operation.name"), "chat");
    assert.equal(attribute("gen_ai.request.model"), TEST_MODEL);
    assert.equal(attribute("gen_ai.request.stream"), true);
    assert.ok(Number(attribute("gen_ai.usage.output_tokens")) > 0);
    assert.equal(attribute("one_api.channel.id"), 2);
    assert.equal(attribute("one_api.result"), "ok");
    assert.equal(Number(attribute("one_api.charge")), charged);
    assert.equal(attribute("error.type"), undefined);
    assert.deepEqual([...receiver.services], ["gateway"]);
    assert.deepEqual([...receiver.authorization], ["Bearer x"]);
  });

  test("have a span for each attempt, with the provider and its failure", () => {
    const root = spanOf(({ kind }) => kind === 2);
    const attempts = traced().filter(({ kind }) => kind === 3);
    assert.deepEqual(
      attempts.map(({ parentSpanId }) => parentSpanId),
      [root.spanId, root.spanId],
    );
    const facts = attempts.map(({ attributes }) =>
      ["gen_ai.provider.name", "server.address", "one_api.channel.id", "error.type"].map((key) =>
        valueOf(attributes, key),
      ),
    );
    assert.deepEqual(facts, [
      ["openai", "127.0.0.1", 1, "connection"],
      ["openai", "127.0.0.1", 2, undefined],
    ]);
  });

  test("are continued by the provider", () => {
    const answered = spanOf(({ attributes }) => valueOf(attributes, "http.response.status_code") === 200);
    assert.deepEqual(sent, [`00-${TRACE}-${answered.spanId}-01`]);
  });

  test("have refused requests too, in traces of their own", () => {
    const refused = receiver.spans.filter(({ attributes }) => valueOf(attributes, "one_api.result") === "refused");
    assert.equal(refused.length, 1);
    assert.equal(valueOf(refused[0]?.attributes ?? [], "error.type"), "model_not_found");
    assert.notEqual(refused[0]?.traceId, TRACE);
  });
});

test("a gateway without an OTLP address passes no trace on", async (t) => {
  const gateway = await startRelayTest();
  t.after(() => gateway.close());
  const upstream = await gateway.upstream();
  await gateway.addChannel(upstream);
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await (await gateway.post(CHAT, await gateway.addToken(), chatBody("hello"), headers)).text();
  assert.deepEqual(
    upstream.requests.map((request) => request.headers["traceparent"]),
    [undefined],
  );
});
