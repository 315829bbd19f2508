import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signAws } from "./sign-aws.ts";

const NOTHING = Buffer.alloc(0);

describe("a signature for AWS", () => {
  // From AWS's published suite for Signature Version 4.
  const key = { id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  const scope = { region: "us-east-1", service: "service" };
  const now = new Date("2015-08-30T12:36:00Z");
  const vectors = [
    ["GET", "https://example.amazonaws.com/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
    ["POST", "https://example.amazonaws.com/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
    [
      "GET",
      "https://example.amazonaws.com/?Param2=value2&Param1=value1",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    ],
  ] as const;

  for (const [method, url, signature] of vectors) {
    it(`matches AWS's own suite for ${method} ${url}`, async () => {
      const { authorization } = await signAws({ method, url, headers: {}, body: NOTHING }, key, scope, now);
      assert.equal(
        authorization,
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
      );
    });
  }

  it("covers headers, body, a port and a path with special characters, and leaves the host to the client", async () => {
    const url = "https://host.example:8443/model/eu.anthropic.claude%3A0/converse";
    const headers = { "content-type": "application/json", "x-spaced": " a  b " };
    const request = { method: "POST", url, headers, body: Buffer.from("{}") } as const;
    const signed = await signAws(request, key, { region: "eu-central-1", service: "bedrock" }, now);
    assert.deepEqual(signed, {
      ...headers,
      "x-amz-date": "20150830T123600Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-central-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-spaced, Signature=b5dcc20b4b20d2781b61dec9f9f330deeb9742362b9d421c866a7d978825b97a",
    });
  });
});
