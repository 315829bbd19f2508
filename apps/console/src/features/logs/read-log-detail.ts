import { logDetailSchema, type Log, type LogDetail } from "@one-api/contract/log";

/** The entry's detail; undefined when there is none or another version wrote it in a shape that this one does not know. */
export function readLogDetail(log: Log): LogDetail | undefined {
  return logDetailSchema.safeParse(log.detail).data;
}
