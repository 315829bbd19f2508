import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionTo, EMPTY_BODY, workingProvider } from "../../testing/call-provider.ts";
import { silentIo } from "../../testing/silent-io.ts";

test("Tencent's cloud API is called with its own signature, also with a pasted version", () => {
  const connection = connectionTo("", { key: "app|id|secret" });
  const service = workingProvider(23).serve("embeddings", "hunyuan-embedding", undefined, connection);
  const call = service?.call({ body: EMPTY_BODY, stream: false, formatHeaders: {} }, connection, silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise));
  assert.equal(call.address.url, "https://hunyuan.tencentcloudapi.com/");
  assert.equal(call.address.headers["x-tc-action"], "GetEmbedding");
  assert.match(
    call.address.headers.authorization ?? "",
    /^TC3-HMAC-SHA256 Credential=id\/1970-01-01\/hunyuan\/tc3_request, /,
  );
});
