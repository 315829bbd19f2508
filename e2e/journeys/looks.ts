export interface Look {
  readonly language: "en" | "zh-CN";
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** Scope of axe: none by default; only colours if another look checks the rest. */
  readonly axe?: "all" | "colours";
}

/** Both languages in both colour schemes, each between the two that it has one of in common. */
const SCENES = [
  { language: "en", colorScheme: "light" },
  { language: "en", colorScheme: "dark" },
  { language: "zh-CN", colorScheme: "dark" },
  { language: "zh-CN", colorScheme: "light" },
] as const;

/** Elements of the middle width also appear in one of the others, so axe skips it. */
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

/** Looks of overlays: first in the language of their buttons, which changes while they are open. */
export const OPENED_LOOKS: readonly [Look, ...Look[]] = [
  { language: "en", colorScheme: "light", width: 1440, axe: "all" },
  { language: "en", colorScheme: "light", width: 360 },
  { language: "zh-CN", colorScheme: "dark", width: 360, axe: "all" },
];

/** Nothing is saved: each page comes by its address and is shown in each way. */
export const showsEveryLook = process.env["EVERY_LOOK"] === "true";

/**
 * Returns the looks of a page by its position: some of all widths, languages and colour schemes, with axe in both of
 * each. Four neighbours cover every combination. EVERY_LOOK=true returns all.
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
