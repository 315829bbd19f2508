import type { MantineColorsTuple } from "@mantine/core";

/** One named colour theme: an accent from light to dark, neutrals for both schemes and how round corners are. */
interface NamedTheme {
  readonly accent: MantineColorsTuple;
  /** Neutrals of the light scheme, from the sidebar's ground to text. */
  readonly gray: MantineColorsTuple;
  /** Neutrals of the dark scheme, from text to the darkest ground. */
  readonly dark: MantineColorsTuple;
  readonly cornerRadius: { sm: string; md: string; lg: string };
}

const neutralGray: MantineColorsTuple = [
  "#fafafa",
  "#f4f4f5",
  "#ebebed",
  "#dfdfe3",
  "#c6c6cc",
  "#9d9da6",
  "#6b6b75",
  "#52525b",
  "#36363d",
  "#1c1c21",
];

const neutralDark: MantineColorsTuple = [
  "#ececef",
  "#cfcfd4",
  "#a3a3ad",
  "#82828c",
  "#3a3a42",
  "#2b2b31",
  "#202025",
  "#141417",
  "#0f0f12",
  "#0a0a0c",
];

const standard: NamedTheme = {
  accent: [
    "#eff3ff",
    "#dde6ff",
    "#bccdff",
    "#94afff",
    "#7593fb",
    "#5576ef",
    "#3d5bdb",
    "#3049b8",
    "#2a3f96",
    "#1f2d69",
  ],
  gray: neutralGray,
  dark: neutralDark,
  cornerRadius: { sm: "6px", md: "8px", lg: "12px" },
};

const berry: NamedTheme = {
  accent: [
    "#fdf0f6",
    "#fadcea",
    "#f4b8d4",
    "#ec8db8",
    "#e2689f",
    "#d14384",
    "#b42a6b",
    "#942158",
    "#771c48",
    "#511432",
  ],
  gray: ["#fbfafb", "#f6f3f5", "#eeeaed", "#e3dde1", "#cbc3c8", "#a29aa0", "#706870", "#564f55", "#393439", "#1f1b1e"],
  dark: ["#efecee", "#d2cdd0", "#a7a0a5", "#857e83", "#3e383c", "#2e292d", "#231f22", "#161315", "#110e10", "#0b090a"],
  cornerRadius: { sm: "8px", md: "10px", lg: "14px" },
};

const air: NamedTheme = {
  accent: [
    "#ecf9fb",
    "#d3f0f5",
    "#a8e0ea",
    "#74cbdb",
    "#45b3c8",
    "#1f97ae",
    "#0d7489",
    "#0b6072",
    "#0b4e5d",
    "#07343e",
  ],
  gray: ["#f8fafb", "#f1f5f6", "#e6ecee", "#d8e0e3", "#bdc8cc", "#94a1a6", "#627076", "#4b575c", "#31393d", "#191e20"],
  dark: ["#ebeff0", "#cbd3d5", "#9fa9ad", "#7d888c", "#353e41", "#273033", "#1d2426", "#111719", "#0d1213", "#080b0c"],
  cornerRadius: { sm: "4px", md: "6px", lg: "10px" },
};

export const NAMED_THEMES = { default: standard, berry, air } as const;

export type ThemeName = keyof typeof NAMED_THEMES;

/** The theme of that name; the default one for names of other consoles. */
export function themeNameOf(text: string): ThemeName {
  return text === "berry" || text === "air" ? text : "default";
}
