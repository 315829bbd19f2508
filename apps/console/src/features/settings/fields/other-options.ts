import { choiceField } from "./declared-field.ts";
import type { OptionSection } from "../options/option-draft.ts";

export const OTHER_SECTIONS = [
  { id: "notice", switches: [], fields: [{ key: "Notice", kind: "page", preview: "document" }] },
  {
    id: "look",
    switches: [],
    fields: [
      { key: "SystemName", kind: "text" },
      choiceField("Theme"),
      { key: "Logo", kind: "text", placeholder: "https://gateway.example.com/logo.png" },
    ],
  },
  {
    id: "pages",
    switches: [],
    fields: [
      { key: "HomePageContent", kind: "page", preview: "page" },
      { key: "About", kind: "page", preview: "page" },
      { key: "Footer", kind: "page", preview: "line" },
    ],
  },
  { id: "update", switches: [], fields: [{ key: "UpdateAddress", kind: "address" }] },
] as const satisfies readonly OptionSection[];

export type OtherSection = (typeof OTHER_SECTIONS)[number];
