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

const PASS_THROUGH = {
  text: createPassThrough,
  image: createImagePassThrough,
  speech: createSpeechPassThrough,
  recording: createRecordingPassThrough,
} as const;

export type Translate = (format: Format, service: Service) => Translation;

/** Bytes pass through if both speak exactly the same format; else the neutral form translates. `nowSeconds` dates re-encoded answers. */
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
    const translation = chooseDirect(format, service);
    const openWhole = translation.openWhole?.bind(translation);
    const framed = (parsed: ParsedRequest, stream: AnswerStream) => (parsed.inArray ? new ArrayStream(stream) : stream);
    return {
      ...translation,
      openStream: (parsed, contentType) => framed(parsed, translation.openStream(parsed, contentType)),
      ...(openWhole && { openWhole: (parsed, status, headers) => framed(parsed, openWhole(parsed, status, headers)) }),
    };
  }

  function chooseDirect(format: Format, service: Service): Translation {
    if (service.exact && service.format.name === format.name) {
      const passing = PASS_THROUGH[format.medium ?? "text"](service.format, countText);
      return withConversions(passing, service.format, { countText, nowSeconds });
    }
    return createThroughNeutral(format, service.format, { countText, nowSeconds });
  }
}
