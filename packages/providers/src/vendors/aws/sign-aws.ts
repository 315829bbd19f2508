export interface AwsKeyPair {
  readonly id: string;
  readonly secret: string;
}

export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

export interface SignableRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Returns the request's headers with a signature (Signature Version 4) by AWS's own signer. HTTP clients derive `host` from the address.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signAws(
  { method, url, headers, body }: SignableRequest,
  { id, secret }: AwsKeyPair,
  { region, service }: AwsScope,
  now: Date,
): Promise<Record<string, string>> {
  const { SignatureV4, Sha256 } = await loadSigner();
  const credentials = { accessKeyId: id, secretAccessKey: secret };
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: false });
  const { protocol, host, pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  const unsigned = { method, protocol, hostname: host, path: pathname, query, headers: { ...headers, host }, body };
  const signed = await signer.sign(unsigned, { signingDate: now });
  const { host: _madeByClients, ...sent } = signed.headers;
  return sent;
}

/** The signer takes 11 MB, so it loads only for callers of AWS. */
async function loadSigner() {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/core/checksum"),
  ]);
  return { SignatureV4, Sha256 };
}
