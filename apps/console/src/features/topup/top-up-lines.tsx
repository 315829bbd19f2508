import type { Log } from "@one-api/contract/logs/log";
import { Line, LineList } from "../../components/boxes/line-list.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useOwnWords } from "../logs/events/event-words.ts";

export function TopUpLines({ logs }: { logs: readonly Log[] }) {
  const words = useOwnWords();
  return (
    <LineList>
      {logs.map((log) => (
        <Line
          key={log.id}
          name={words(log, undefined)?.sentence ?? log.content}
          end={<TimeText time={log.created_at} dateOnly />}
        />
      ))}
    </LineList>
  );
}
