import { once } from "node:events";
import { connect } from "node:net";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { portOf } from "./port-of.ts";

/** A TLS server in front of one without TLS. */
export interface TlsFront {
  readonly port: number;
  /** Lets this process trust the certificate, until `close`. */
  trust(): void;
  close(): void;
}

/** Self-signed certificates of one key. */
const CERTIFICATES = {
  /** For provider.invalid, localhost and 127.0.0.1. */
  good: `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBwcm92aWRl
ci5pbnZhbGlkMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBwcm92aWRlci5pbnZhbGlkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEdATTTxi30FSC5sW2dnXv01xY/otEFsB1ymKw+1Rk4gNXdFaWHjOcwpQcwFhv
TzZrCaLneiB/rs1zMMHHsWGgS6NgMF4wDwYDVR0TAQH/BAUwAwEB/zAsBgNVHREE
JTAjghBwcm92aWRlci5pbnZhbGlkgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYE
FFMpb8FmipcNksPNn6lF3OrGxkcvMAoGCCqGSM49BAMCA0gAMEUCIDLaPCgc0muz
YZcTXDafQTP/0bDD77WJyXrKar3sK8/8AiEA9JCjPkBSe9pJUs/FLk3LqFUtb41O
j01Xv6ZkkRd8ZHk=
-----END CERTIFICATE-----`,
  /** For the same names, until 2021. */
  expired: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUA01oNlnjNdomW2vBKNRm7LAf0gkwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcHJvdmlkZXIuaW52YWxpZDAeFw0yMDAxMDEwMDAwMDBaFw0y
MTAxMDEwMDAwMDBaMBsxGTAXBgNVBAMMEHByb3ZpZGVyLmludmFsaWQwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAR0BNNPGLfQVILmxbZ2de/TXFj+i0QWwHXKYrD7
VGTiA1d0VpYeM5zClBzAWG9PNmsJoud6IH+uzXMwwcexYaBLo10wWzAMBgNVHRME
BTADAQH/MCwGA1UdEQQlMCOCEHByb3ZpZGVyLmludmFsaWSCCWxvY2FsaG9zdIcE
fwAAATAdBgNVHQ4EFgQUUylvwWaKlw2Sw82fqUXc6sbGRy8wCgYIKoZIzj0EAwID
RwAwRAIgXTpCnx3bmDCBlzieb0PO846GmJk9vv1Za8h4NVrObpkCID89RtWNkq7O
Dabs4RMFNbfZsjC2Ua2BbqQofswLUM1b
-----END CERTIFICATE-----`,
  /** For other.invalid. */
  "of-another-host": `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUZrzYEf6QK89Yyhxihlqr2zFQjFYwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuaW52YWxpZDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIw
MDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNb3RoZXIuaW52YWxpZDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABHQE008Yt9BUgubFtnZ179NcWP6LRBbAdcpisPtUZOID
V3RWlh4znMKUHMBYb082awmi53ogf67NczDBx7FhoEujSTBHMAwGA1UdEwQFMAMB
Af8wGAYDVR0RBBEwD4INb3RoZXIuaW52YWxpZDAdBgNVHQ4EFgQUUylvwWaKlw2S
w82fqUXc6sbGRy8wCgYIKoZIzj0EAwIDSAAwRQIhAMdYRVpAmSdkUrzhJbzDpSPL
kzXr5+Fng9+OdYAqbiwIAiBerytK2btrbrx+0zJgtyeBoJgVGvvMsfSDzM+Dcl23
TA==
-----END CERTIFICATE-----`,
} as const;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoatgKmZ7r2etwf6g
lzOpixFvA/7JDtbmKgOPb4DJPg2hRANCAAR0BNNPGLfQVILmxbZ2de/TXFj+i0QW
wHXKYrD7VGTiA1d0VpYeM5zClBzAWG9PNmsJoud6IH+uzXMwwcexYaBL
-----END PRIVATE KEY-----`;

/** Starts one on a free port, in front of the server at `targetPort`. */
export async function startTlsFront(
  targetPort: number,
  certificate: keyof typeof CERTIFICATES = "good",
): Promise<TlsFront> {
  const trusted = getCACertificates("default");
  const cert = CERTIFICATES[certificate];
  const server = createServer({ cert, key: KEY }, (client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const socket of [target, client]) socket.on("error", () => undefined);
    target.pipe(client).pipe(target);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    trust: () => setDefaultCACertificates([...trusted, cert]),
    close() {
      setDefaultCACertificates(trusted);
      server.close();
    },
  };
}
