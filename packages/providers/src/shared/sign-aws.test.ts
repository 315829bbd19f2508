import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";
import * as fc from "fast-check";
import { signAws } from "./sign-aws.ts";

const NOTHING = Buffer.alloc(0);

describe("a signature for AWS", () => {
  // Of the suite that AWS has published for Signature Version 4.
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
    it(`is what AWS's own suite expects of ${method} ${url}`, () => {
      const { authorization } = signAws({ method, url, headers: {}, body: NOTHING }, key, scope, now);
      assert.equal(
        authorization,
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
      );
    });
  }

  it("is AWS's own signer's for any path, query, header and body", async () => {
    const vendor = new SignatureV4({
      service: "bedrock",
      region: "eu-central-1",
      credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
      sha256: Sha256,
      applyChecksum: false,
    });
    const text = fc.string({ unit: "grapheme", maxLength: 20 });
    const segment = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((name) => !/^\.+$/.test(name));
    // The vendor's signer loses a parameter of this name.
    const name = text.filter((known) => known !== "__proto__");
    const cases = fc.tuple(fc.array(segment, { maxLength: 4 }), fc.dictionary(name, text, { maxKeys: 3 }), text);
    await fc.assert(
      fc.asyncProperty(cases, async ([segments, query, body]) => {
        const url = new URL("https://host.example:8443/");
        url.pathname = segments.map(encodeURIComponent).join("/");
        for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
        const headers = { "content-type": "application/json", "x-spaced": " a  b " };
        const request = { method: "POST", url: url.href, headers, body: Buffer.from(body) } as const;
        const expected = await vendor.sign(
          {
            method: "POST",
            protocol: "https:",
            hostname: url.host,
            path: url.pathname,
            query: Object.fromEntries(url.searchParams),
            headers: { ...headers, host: url.host },
            body: request.body,
          },
          { signingDate: now },
        );
        const signed = signAws(request, key, { region: "eu-central-1", service: "bedrock" }, now);
        assert.equal(signed.authorization, expected.headers.authorization);
      }),
      { numRuns: 100 },
    );
  });
});
