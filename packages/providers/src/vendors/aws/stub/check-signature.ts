import type { RequestRecord } from "../../../stub-kit/request-record.ts";
import { createHash } from "node:crypto";
import { refuse } from "../../../stub-kit/refusal.ts";

/** Key pair of AWS's documentation, which the stub accepts. */
export const STUB_AWS_KEY = { id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" } as const;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/;
const MAX_AGE_MS = 5 * 60_000;

/** Returns the key's id if AWS's own signer computes the same signature. Throws RequestRefused (403) otherwise. */
export async function checkSignature(record: RequestRecord): Promise<string> {
  const { headers, method, fullPath, query, bodyText } = record;
  const [, id = "", date, region = "", service, names = "", signature] =
    AUTHORIZATION.exec(headers.authorization ?? "") ?? [];
  const time = String(headers["x-amz-date"]);
  const signingDate = new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const sum = headers["x-amz-content-sha256"];
  if (signature === undefined || date !== time.slice(0, 8))
    refuseAs("IncompleteSignatureException", "Authorization header is malformed.");
  if (id !== STUB_AWS_KEY.id)
    refuseAs("UnrecognizedClientException", "The security token included in the request is invalid.");
  if (!(Math.abs(Date.now() - signingDate.getTime()) < MAX_AGE_MS))
    refuseAs("InvalidSignatureException", "Signature expired.");
  const isOtherBody = sum !== undefined && sum !== createHash("sha256").update(bodyText).digest("hex");
  const signed = names.split(";");
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/core/checksum"),
  ]);
  const vendor = new SignatureV4({
    service: "bedrock",
    region,
    credentials: { accessKeyId: STUB_AWS_KEY.id, secretAccessKey: STUB_AWS_KEY.secret },
    sha256: Sha256,
    applyChecksum: false,
  });
  const expected = await vendor.sign(
    {
      method,
      protocol: "https:",
      hostname: String(headers.host),
      path: fullPath,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      body: bodyText,
    },
    { signingDate },
  );
  const isRight = expected.headers["authorization"] === headers.authorization && service === "bedrock";
  if (!isRight || isOtherBody || !signed.includes("host")) {
    const message = "The request signature we calculated does not match the signature you provided.";
    refuseAs("InvalidSignatureException", message);
  }
  return id;
}

function refuseAs(code: string, message: string): never {
  refuse(message, { status: 403, code });
}
