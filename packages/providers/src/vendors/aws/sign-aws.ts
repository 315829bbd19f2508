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

/**
 * The headers of the request with those that sign it (Signature Version 4), by AWS's own signer. `host` is what HTTP clients make of the address.
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

/** It takes 11 MB, which only those pay who call AWS. */
async function loadSigner() {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/core/checksum"),
  ]);
  return { SignatureV4, Sha256 };
}
