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

/** Self-signed, for provider.invalid, localhost and 127.0.0.1. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBwcm92aWRl
ci5pbnZhbGlkMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBwcm92aWRlci5pbnZhbGlkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEdATTTxi30FSC5sW2dnXv01xY/otEFsB1ymKw+1Rk4gNXdFaWHjOcwpQcwFhv
TzZrCaLneiB/rs1zMMHHsWGgS6NgMF4wDwYDVR0TAQH/BAUwAwEB/zAsBgNVHREE
JTAjghBwcm92aWRlci5pbnZhbGlkgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYE
FFMpb8FmipcNksPNn6lF3OrGxkcvMAoGCCqGSM49BAMCA0gAMEUCIDLaPCgc0muz
YZcTXDafQTP/0bDD77WJyXrKar3sK8/8AiEA9JCjPkBSe9pJUs/FLk3LqFUtb41O
j01Xv6ZkkRd8ZHk=
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoatgKmZ7r2etwf6g
lzOpixFvA/7JDtbmKgOPb4DJPg2hRANCAAR0BNNPGLfQVILmxbZ2de/TXFj+i0QW
wHXKYrD7VGTiA1d0VpYeM5zClBzAWG9PNmsJoud6IH+uzXMwwcexYaBL
-----END PRIVATE KEY-----`;

/** Starts one on a free port, in front of the server at `targetPort`. */
export async function startTlsFront(targetPort: number): Promise<TlsFront> {
  const trusted = getCACertificates("default");
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const socket of [target, client]) socket.on("error", () => undefined);
    target.pipe(client).pipe(target);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    trust: () => setDefaultCACertificates([...trusted, CERTIFICATE]),
    close() {
      setDefaultCACertificates(trusted);
      server.close();
    },
  };
}
