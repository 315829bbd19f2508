/** A way to show a page. */
export interface Look {
  readonly language: "en" | "zh-CN";
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** What axe looks for: nothing unless told; the colours alone where another look shows the rest. */
  readonly axe?: "all" | "colours";
}

/** Both languages in both colour schemes, each between the two that it has one of in common. */
const SCENES = [
  { language: "en", colorScheme: "light" },
  { language: "en", colorScheme: "dark" },
  { language: "zh-CN", colorScheme: "dark" },
  { language: "zh-CN", colorScheme: "light" },
] as const;

/** What is drawn between the widest and the narrowest is in one of them too: there axe looks for nothing. */
const WIDTHS = [{ width: 1440, axe: "all" }, { width: 1024 }, { width: 360, axe: "all" }] as const;

/** The screens with the most in them, which are shown in every way but two. */
const FULL_PAGES: readonly string[] = ["/login?expired=true", "/channel/add", "/setting?tab=system"];

/** A page takes long to change its scheme or language: each language ends in the scheme that the other begins with. */
const MANY_LOOKS: readonly Look[] = [
  { language: "en", colorScheme: "dark", width: 1440, axe: "colours" },
  { language: "en", colorScheme: "light", width: 1440, axe: "all" },
  { language: "en", colorScheme: "light", width: 1024 },
  { language: "en", colorScheme: "light", width: 360 },
  { language: "zh-CN", colorScheme: "light", width: 1024, axe: "colours" },
  { language: "zh-CN", colorScheme: "light", width: 1440 },
  { language: "zh-CN", colorScheme: "dark", width: 360, axe: "all" },
];

/** What opens over a page: first in the language of its buttons, which is changed while it is open. */
export const OPENED_LOOKS: readonly [Look, ...Look[]] = [
  { language: "en", colorScheme: "light", width: 1440, axe: "all" },
  { language: "en", colorScheme: "light", width: 360 },
  { language: "zh-CN", colorScheme: "dark", width: 360, axe: "all" },
];

/** Nothing is saved: each page comes by its address and is shown in each way. */
export const showsEveryLook = process.env["EVERY_LOOK"] === "true";

/**
 * How a page is shown that stands at this place among its like: in each width, language and colour scheme, with axe in both of each. Four
 * neighbours show together every width in every language and scheme. EVERY_LOOK=true asks for all of them on each page.
 */
export function looksAt(path: string, place: number): readonly Look[] {
  if (showsEveryLook) return SCENES.flatMap((scene) => WIDTHS.map((width) => ({ ...scene, ...width })));
  return FULL_PAGES.includes(path)
    ? MANY_LOOKS
    : WIDTHS.map((width, index) => ({ ...sceneAt(place + index), ...width }));
}

/** The same for a page of which much has been shown already: two looks, in opposite languages and schemes, of which axe sees the second. */
export function fewLooksAt(path: string, place: number): readonly Look[] {
  if (showsEveryLook) return looksAt(path, place);
  return [
    { ...sceneAt(place), width: 1024 },
    { ...sceneAt(place + 2), width: 360, axe: "all" },
  ];
}

const sceneAt = (place: number) => SCENES[place % SCENES.length] ?? SCENES[0];
