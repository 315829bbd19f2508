import { once } from "node:events";
import { connect } from "node:net";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { portOf } from "./start-tunnel.ts";

/** A server that speaks TLS in front of another that does not. */
export interface TlsFront {
  readonly port: number;
  /** Lets this process trust it; without, nobody vouches for it. */
  trust(): void;
  /** Closes it; it is trusted no longer. */
  close(): void;
}

/** For provider.invalid, localhost and 127.0.0.1, made for tests and good for nothing else. */
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

/** Starts one on a free port of this machine, in front of the server at the port `leadTo`. */
export async function startTlsFront(leadTo: number): Promise<TlsFront> {
  const trusted = getCACertificates("default");
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (caller) => {
    const onward = connect(leadTo, "127.0.0.1");
    for (const socket of [onward, caller]) socket.on("error", () => undefined);
    onward.pipe(caller).pipe(onward);
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
