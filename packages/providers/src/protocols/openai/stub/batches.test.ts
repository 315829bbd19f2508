import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Mistral } from "@mistralai/mistralai";
import Groq from "groq-sdk";
import { AzureOpenAI, toFile } from "openai";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const body = { model: "m", messages: [{ role: "user", content: "hello" }] };
const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body };
const input = () => toFile(Buffer.from(JSON.stringify(line)), "in.jsonl");
const asked = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;

suite("batches as the SDKs of others read them", () => {
  test("Groq's: a file, its batch and the answers", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new Groq({ apiKey: "sk-test", baseURL: upstream.at("groq"), maxRetries: 0 });
    const { id: fileId } = await client.files.create({ file: await input(), purpose: "batch" });
    const { id } = await client.batches.create({ ...asked, input_file_id: fileId ?? "" });
    await client.batches.retrieve(id);
    const { status, output_file_id } = await client.batches.retrieve(id);
    assert.equal(status, "completed");
    assert.match(await (await client.files.content(output_file_id ?? "")).text(), /You said: hello/);
  });

  test("Azure's: a file that must be processed first, and a batch in Azure's format", async (t) => {
    const { upstream } = await withStubServer(t);
    const options = {
      endpoint: upstream.at("azure"),
      apiKey: "azure-key",
      apiVersion: "2025-04-01-preview",
      maxRetries: 0,
    };
    const client = new AzureOpenAI(options);
    const file = await client.files.create({ file: await input(), purpose: "batch" });
    await assert.rejects(client.batches.create({ ...asked, input_file_id: file.id }), { status: 400 });
    await client.files.retrieve(file.id);
    const { id } = await client.batches.create({ ...asked, input_file_id: file.id });
    await client.batches.retrieve(id);
    const done = await client.batches.retrieve(id);
    assert.deepEqual({ status: done.status }, { status: "Completed" });
    assert.match(await (await client.files.content(done.output_file_id ?? "")).text(), /You said: hello/);
  });

  test("Mistral's: a job that names the model, and lines that do not", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new Mistral({
      apiKey: "sk-test",
      serverURL: upstream.at("mistral"),
      retryConfig: { strategy: "none" },
    });
    const upload = (lines: object) =>
      client.files.upload({ file: new File([JSON.stringify(lines)], "in.jsonl"), purpose: "batch" });
    const { id: odd } = await upload(line);
    const job = { endpoint: "/v1/chat/completions", model: "mistral-small-latest" } as const;
    await assert.rejects(client.batch.jobs.create({ ...job, inputFiles: [odd] }), { statusCode: 422 });
    const { id: fileId } = await upload({ custom_id: "a", body: { messages: body.messages } });
    const { id } = await client.batch.jobs.create({ ...job, inputFiles: [fileId] });
    assert.equal((await client.batch.jobs.get({ jobId: id })).status, "RUNNING");
    const { status, outputFile, totalRequests } = await client.batch.jobs.get({ jobId: id });
    assert.deepEqual([status, totalRequests], ["SUCCESS", 1]);
    const output = await client.files.download({ fileId: outputFile ?? "" });
    assert.match(await new Response(output).text(), /"model":"mistral-small-latest".*You said: hello/);
    assert.deepEqual((await client.batch.jobs.list()).data?.map((each) => each.id).includes(id), true);
  });
});
