import type { MantineColorsTuple } from "@mantine/core";

/**
 * Status colours from light to dark, equal in every theme. Text and marks use shade 6 on light and 3 on dark; filled
 * buttons shade 6 under white text.
 */
export const STATUS_COLOURS: Record<"danger" | "warning" | "success" | "info", MantineColorsTuple> = {
  danger: [
    "#fff1f0",
    "#ffdcda",
    "#ffb3b0",
    "#ff8080",
    "#f05f5f",
    "#d94141",
    "#c02a2a",
    "#9f1f20",
    "#801a1b",
    "#5a1213",
  ],
  warning: [
    "#fff8e6",
    "#ffecc2",
    "#fbd982",
    "#f0b429",
    "#d9930d",
    "#bd7400",
    "#9a5800",
    "#834a00",
    "#683b00",
    "#482900",
  ],
  success: [
    "#ecfaf2",
    "#cdf2dd",
    "#96e2b8",
    "#4cc38a",
    "#2fa66d",
    "#21925b",
    "#19794a",
    "#14683d",
    "#105230",
    "#0a3922",
  ],
  info: ["#eff3ff", "#dbe4ff", "#b8c8ff", "#8fa8ff", "#6d8af8", "#4a6cea", "#2f55d4", "#2545b0", "#1e388e", "#152766"],
};
