import type { Format } from "@one-api/providers/format";
import type { Service } from "@one-api/providers/provider";
import type { ParsedRequest } from "../body/index.ts";
import { ArrayStream } from "./array-stream.ts";
import { withConversions } from "./convert-answer.ts";
import { createImagePassThrough } from "./pass-images.ts";
import { createRecordingPassThrough } from "./pass-recordings.ts";
import { createSpeechPassThrough } from "./pass-speech.ts";
import { createPassThrough } from "./pass-through.ts";
import { createThroughNeutral } from "./through-neutral.ts";
import type { AnswerStream, Translation } from "./translation.ts";

/** How bytes pass, by what they are. */
const WAYS = {
  text: createPassThrough,
  image: createImagePassThrough,
  speech: createSpeechPassThrough,
  recording: createRecordingPassThrough,
} as const;

/** How a caller's format and a provider's service come together. */
export type Translate = (format: Format, service: Service) => Translation;

/**
 * Builds the choice: where both speak the same format to the letter the bytes pass, else they go through the neutral form. `nowSeconds` dates the
 * answers that are written anew. Throws for formats of which there is no way to the other: routes are found by what is asked, so none has.
 */
export function createTranslate(countText: (text: string) => number, nowSeconds: () => number): Translate {
  const known = new WeakMap<Format, WeakMap<Service, Translation>>();
  return (format, service) => {
    const found = known.get(format)?.get(service);
    if (found !== undefined) return found;
    const ofCaller = known.get(format) ?? new WeakMap<Service, Translation>();
    known.set(format, ofCaller);
    const chosen = choose(format, service);
    ofCaller.set(service, chosen);
    return chosen;
  };

  function choose(format: Format, service: Service): Translation {
    const translation = chooseWay(format, service);
    const openWhole = translation.openWhole?.bind(translation);
    const framed = (ask: ParsedRequest, stream: AnswerStream) => (ask.inArray ? new ArrayStream(stream) : stream);
    return {
      ...translation,
      openStream: (ask, contentType) => framed(ask, translation.openStream(ask, contentType)),
      ...(openWhole && { openWhole: (ask, status, headers) => framed(ask, openWhole(ask, status, headers)) }),
    };
  }

  function chooseWay(format: Format, service: Service): Translation {
    if (service.exact && service.format.name === format.name) {
      const passing = WAYS[format.medium ?? "text"](service.format, countText);
      return withConversions(passing, service.format, { countText, nowSeconds });
    }
    return createThroughNeutral(format, service.format, { countText, nowSeconds });
  }
}
