import { useMantineColorScheme, type MantineColorScheme } from "@mantine/core";

const following: Record<MantineColorScheme, MantineColorScheme> = { auto: "light", light: "dark", dark: "auto" };

/** The chosen colour scheme and what moves on: system, light, dark, system again. */
export function useCycleColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { colorScheme, cycle: () => setColorScheme(following[colorScheme]) };
}
