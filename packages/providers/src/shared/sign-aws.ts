import { createHash, createHmac } from "node:crypto";

/** A key pair of an account of AWS. */
export interface AwsKeyPair {
  readonly id: string;
  readonly secret: string;
}

/** What is called where, for the signature. */
export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

/** A request as it goes out. */
export interface SignableRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * The headers of the request with those that sign it (Signature Version 4). `host` is what HTTP clients make of the address.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signAws(request: SignableRequest, key: AwsKeyPair, scope: AwsScope, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const url = new URL(request.url);
  const signed = new Map([...Object.entries(request.headers), ["host", url.host], ["x-amz-date", time]]);
  const names = [...signed.keys()].toSorted();
  const canonical = [
    request.method,
    canonicalPath(url),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(signed.get(name) ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    sha256(request.body),
  ].join("\n");
  const place = [date, scope.region, scope.service, "aws4_request"];
  const text = [ALGORITHM, time, place.join("/"), sha256(canonical)].join("\n");
  const signingKey = place.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${key.secret}`);
  const signature = hmac(signingKey, text).toString("hex");
  const credential = `Credential=${key.id}/${place.join("/")}`;
  return {
    ...request.headers,
    "x-amz-date": time,
    authorization: `${ALGORITHM} ${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

/** Each segment is encoded once more than it is sent. */
function canonicalPath({ pathname }: URL): string {
  return pathname.split("/").map(encode).join("/");
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => [encode(name), encode(value)])
    .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : left > right ? 1 : 0))
    .map((pair) => pair.join("="))
    .join("&");
}

/** RFC 3986, which leaves letters, digits and `-._~` alone. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
