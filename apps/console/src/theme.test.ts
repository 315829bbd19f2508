import { expect, test } from "vitest";
import { NAME_COLOURS, REST_COLOUR } from "./lib/values/colour-of-name.ts";
import { NAMED_THEMES, themeNameOf } from "./named-themes.ts";
import { STATUS_COLOURS } from "./status-colours.ts";

/** WCAG's least contrast of text of normal size. */
const LEAST_CONTRAST = 4.5;

/** Relative luminance of a colour such as `#c02a2a`, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(first), luminanceOf(second)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG's least contrast of what is no text, such as the parts of a chart. */
const LEAST_CONTRAST_OF_MARKS = 3;

const themes = Object.entries(NAMED_THEMES);
const statuses = Object.entries(STATUS_COLOURS);
const pairs = themes.flatMap(([themeName, { accent, gray, dark }]) => {
  const lightGrounds = ["#ffffff", gray[0], gray[1]];
  const darkGrounds = [dark[6], dark[7], dark[8]];
  const on = (what: string, grounds: (string | undefined)[], colour: string | undefined) =>
    grounds.map((ground) => [`${themeName}: ${what} on ${ground}`, colour ?? "", ground ?? ""] as const);
  return [
    ...on("text", lightGrounds, gray[9]),
    ...on("dimmed text", lightGrounds, gray[6]),
    ...on("links", ["#ffffff"], accent[6]),
    ...on("white", [accent[6], accent[7]], "#ffffff"),
    ...on("text", darkGrounds, dark[0]),
    ...on("dimmed text", darkGrounds, dark[2]),
    ...on("links", [dark[7]], accent[3]),
    ...statuses.flatMap(([name, tuple]) => [
      ...on(name, lightGrounds, tuple[6]),
      ...on(name, darkGrounds, tuple[3]),
      ...on(`white (${name} button)`, [tuple[6], tuple[7]], "#ffffff"),
    ]),
  ];
});

test.each(pairs)("%s can be read", (_what, colour, ground) => {
  expect(contrastOf(colour, ground)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
});

test("names of other consoles' themes mean the default one", () => {
  expect(["default", "berry", "air", "semi"].map(themeNameOf)).toEqual(["default", "berry", "air", "default"]);
});

test.each(themes)("%s: marks that stand for names can be seen", (_name, { gray, dark }) => {
  for (const colour of [...NAME_COLOURS, REST_COLOUR])
    for (const ground of ["#ffffff", gray[0], dark[7], dark[8]])
      expect(contrastOf(colour, ground ?? ""), `${colour} on ${ground}`).toBeGreaterThanOrEqual(
        LEAST_CONTRAST_OF_MARKS,
      );
});
