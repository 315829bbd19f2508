import * as z from "zod/mini";

/** A table for spreadsheets, or one JSON object a line. */
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportFormatSchema = z._default(z.enum(EXPORT_FORMATS), "csv");
