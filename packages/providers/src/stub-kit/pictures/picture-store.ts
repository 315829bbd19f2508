import type { Call } from "../call.ts";
import type { Stub } from "../stub.ts";

export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

export const PICTURES = "pictures";

/** Serves generated pictures without a key: their addresses are the secret. */
export const pictureStore: Stub = {
  apis: [
    {
      isAside: true,
      readKey: () => "",
      routes: {
        "GET /{name}": () => ({ kind: "bytes", contentType: "image/png", pieces: [Buffer.from(PIXEL, "base64")] }),
      },
    },
  ],
};

/** Returns addresses of new pictures: `count` of them, or as many as the behaviour's `pieces`. */
export function pictureUrls({ id, headers, behaviour }: Call, count: number): readonly string[] {
  return Array.from(
    { length: behaviour.pieces ?? count },
    (_, index) => `http://${headers.host}/${PICTURES}/${id}-${index}.png`,
  );
}
