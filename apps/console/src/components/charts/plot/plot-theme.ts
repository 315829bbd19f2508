import type { ChartColour } from "../chart-model.ts";

/** Colours and font of a plot, as the page has them now: canvas takes no CSS variables. */
export interface PlotTheme {
  readonly text: string;
  readonly line: string;
  readonly ground: string;
  readonly font: string;
  colour(colour: ChartColour): string;
}

const VARIABLES = /var\((--[\w-]+)\)/g;

export function readPlotTheme(element: HTMLElement): PlotTheme {
  const style = getComputedStyle(element);
  const colour = (text: ChartColour) =>
    text.replaceAll(VARIABLES, (_, name: string) => style.getPropertyValue(name).trim());
  return {
    text: colour("var(--mantine-color-dimmed)"),
    line: colour("var(--hairline)"),
    ground: colour("var(--mantine-color-body)"),
    font: `11px ${style.fontFamily}`,
    colour,
  };
}
