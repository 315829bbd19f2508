import { useState } from "react";

/** Which model each row's test asks. */
export interface TestModels {
  /** Empty until one is chosen. */
  modelOf(id: number): string;
  choose(id: number, model: string): void;
}

/** Keeps the chosen test models while the list is open. */
export function useTestModels(): TestModels {
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  return {
    modelOf: (id) => chosen.get(id) ?? "",
    choose: (id, model) => setChosen((before) => new Map(before).set(id, model)),
  };
}
