import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from "@mantine/core";
import { componentDefaults } from "./theme-components.ts";
import { NAMED_THEMES, type ThemeName } from "./named-themes.ts";
import { STATUS_COLOURS } from "./status-colours.ts";

// Inter once the browser has it, the system's own until then: see fonts/inter.css.
const fonts = "var(--font-text)";

export function createConsoleTheme(name: ThemeName): MantineThemeOverride {
  const { accent, gray, dark, cornerRadius } = NAMED_THEMES[name];
  return createTheme({
    fontFamily: fonts,
    fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    headings: {
      fontFamily: fonts,
      fontWeight: "600",
      sizes: {
        h1: { fontSize: "20px", lineHeight: "28px" },
        h2: { fontSize: "16px", lineHeight: "24px" },
        h3: { fontSize: "14px", lineHeight: "20px" },
      },
    },
    fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
    lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
    spacing: { "3xs": "2px", "2xs": "4px", xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
    radius: { xs: "4px", sm: cornerRadius.sm, md: cornerRadius.md, lg: cornerRadius.lg, xl: "32px" },
    defaultRadius: "sm",
    colors: { accent, gray, dark, ...STATUS_COLOURS },
    primaryColor: "accent",
    primaryShade: { light: 6, dark: 6 },
    cursorType: "pointer",
    respectReducedMotion: true,
    components: componentDefaults,
  });
}

/** Status colours for text and marks, and for Mantine's light and outlined variants, in one scheme. */
function statusVariables(shade: 3 | 6): Record<string, string> {
  const variables: Record<string, string> = { "--mantine-color-error": STATUS_COLOURS.danger[shade] };
  for (const [name, tuple] of Object.entries(STATUS_COLOURS)) {
    const colour = tuple[shade];
    variables[`--status-${name}`] = colour;
    for (const role of ["text", "outline", "light-color"]) variables[`--mantine-color-${name}-${role}`] = colour;
    variables[`--mantine-color-${name}-light`] = `color-mix(in srgb, ${colour} 9%, transparent)`;
    variables[`--mantine-color-${name}-light-hover`] = `color-mix(in srgb, ${colour} 14%, transparent)`;
  }
  return variables;
}

/** Sets the grounds, lines and text colours that Mantine's own variables do not derive as the console wants them. */
export const consoleVariables: CSSVariablesResolver = (theme) => {
  const { gray, dark } = theme.colors;
  const { accent } = theme.colors;
  return {
    variables: {},
    light: {
      "--mantine-color-text": gray?.[9] ?? "",
      "--mantine-color-dimmed": gray?.[6] ?? "",
      "--mantine-color-placeholder": gray?.[6] ?? "",
      "--mantine-color-default-border": gray?.[3] ?? "",
      "--mantine-color-anchor": accent?.[6] ?? "",
      // Quiet buttons have the colour of links.
      "--mantine-color-accent-light-color": accent?.[6] ?? "",
      ...statusVariables(6),
      "--status-neutral": gray?.[6] ?? "",
      "--ground-side": gray?.[0] ?? "",
      "--ground-raised": "#ffffff",
      "--ground-sunken": gray?.[1] ?? "",
      "--hairline": gray?.[2] ?? "",
      "--accent-soft": accent?.[0] ?? "",
      "--accent-text": accent?.[7] ?? "",
    },
    dark: {
      "--mantine-color-body": dark?.[7] ?? "",
      "--mantine-color-text": dark?.[0] ?? "",
      "--mantine-color-dimmed": dark?.[2] ?? "",
      "--mantine-color-placeholder": dark?.[3] ?? "",
      "--mantine-color-default": dark?.[6] ?? "",
      "--mantine-color-default-hover": dark?.[5] ?? "",
      "--mantine-color-default-border": dark?.[4] ?? "",
      "--mantine-color-anchor": accent?.[3] ?? "",
      // Mantine's own is darker than the background, which makes the chosen item less prominent.
      "--mantine-color-accent-light": `color-mix(in srgb, ${accent?.[5] ?? ""} 26%, transparent)`,
      "--mantine-color-accent-light-hover": `color-mix(in srgb, ${accent?.[5] ?? ""} 32%, transparent)`,
      "--mantine-color-accent-light-color": accent?.[2] ?? "",
      ...statusVariables(3),
      "--status-neutral": dark?.[2] ?? "",
      "--ground-side": dark?.[8] ?? "",
      "--ground-raised": dark?.[6] ?? "",
      "--ground-sunken": dark?.[8] ?? "",
      "--hairline": dark?.[5] ?? "",
      "--accent-soft": `color-mix(in srgb, ${accent?.[5] ?? ""} 18%, transparent)`,
      "--accent-text": accent?.[2] ?? "",
    },
  };
};
