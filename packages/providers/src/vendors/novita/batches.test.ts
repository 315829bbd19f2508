import assert from "node:assert/strict";
import { it } from "node:test";
import { novitaBatches } from "./batches.ts";

/** Example of https://novita.ai/docs/guides/llm-batch-api. */
const JOB = {
  id: "batch_1",
  object: "batch",
  endpoint: "/v1/chat/completions",
  input_file_id: "file_1",
  output_file_id: "",
  error_file_id: "",
  completion_window: "48h",
  in_progress_at: null,
  completed_at: null,
  status: "PROGRESS",
  errors: "",
  version: 0,
  created_at: "2025-08-11T16:31:52.949816948+08:00",
  created_by: "8f242aa1",
  created_by_key_id: "key_cc19",
  total: 2,
  metadata: null,
  request_counts: { total: 2, completed: 1, failed: 0 },
};

it("a batch at Novita is converted to OpenAI's format, without the operator's account", () => {
  const { status, errors, output_file_id, error_file_id, request_counts, ...rest } = novitaBatches.readBatch(JOB);
  assert.deepEqual([status, errors, output_file_id, error_file_id], ["in_progress", null, null, null]);
  assert.deepEqual(request_counts, JOB.request_counts);
  assert.deepEqual(
    [rest["created_at"], rest["created_by"], rest["created_by_key_id"]],
    [JOB.created_at, undefined, undefined],
  );
  const ended = novitaBatches.readBatch({
    ...JOB,
    status: "FAILED",
    errors: "No such model",
    output_file_id: "file_2",
  });
  assert.deepEqual(
    [ended["status"], ended["output_file_id"], ended["errors"]],
    ["failed", "file_2", { object: "list", data: [{ message: "No such model" }] }],
  );
});

it("a batch has Novita's completion window, for models with batches", () => {
  const job = {
    fileId: "f",
    endpoint: "/v1/chat/completions",
    model: "m",
    completionWindow: "24h",
    metadata: undefined,
  };
  assert.equal(novitaBatches.writeJob(job)["completion_window"], "48h");
  assert.equal(novitaBatches.priceFactor("openai/gpt-oss-120b"), 0.5);
  assert.equal(novitaBatches.priceFactor("deepseek/deepseek-v3-0324"), undefined);
});
