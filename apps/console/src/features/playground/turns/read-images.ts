import { type ChatImage, newId } from "../chat/conversation.ts";

/** Pictures that every provider takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

/** Of one question. A picture may have as many bytes as Anthropic takes. */
export const IMAGE_LIMITS = { bytes: 5 * 1024 * 1024, count: 8 } as const;

type ImageProblem = "type" | "size" | "count" | "unreadable";

/** Pictures for a question, and the reason of skipped ones. */
export interface ReadImages {
  readonly images: readonly ChatImage[];
  readonly problem: ImageProblem | undefined;
}

function problemOf(file: File, place: number): ImageProblem | undefined {
  if (!IMAGE_TYPES.some((type) => type === file.type)) return "type";
  if (file.size > IMAGE_LIMITS.bytes) return "size";
  return place >= IMAGE_LIMITS.count ? "count" : undefined;
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(new Error(`${file.name} could not be read`)));
    reader.readAsDataURL(file);
  });
}

/**
 * Reads files as pictures of a question that has `present` ones. Reports the first problem and takes the valid files.
 */
export async function readImages(files: readonly File[], present: number): Promise<ReadImages> {
  const images: ChatImage[] = [];
  let problem: ImageProblem | undefined;
  for (const file of files) {
    const wrong = problemOf(file, present + images.length);
    if (wrong !== undefined) problem ??= wrong;
    else {
      const dataUrl = await readAsDataUrl(file).catch(() => "");
      if (dataUrl === "") problem ??= "unreadable";
      else images.push({ id: newId(), name: file.name, dataUrl });
    }
  }
  return { images, problem };
}
