import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { NO_CONNECTION, ProviderFailedError } from "../../failure.ts";
import { dashScopeTask, dashScopeTurn } from "./picture-format.ts";
import { readError } from "../../protocols/read-error.ts";
import type { Endpoint, ProviderRequest, Service } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { awaitTask } from "../../shared/await-task.ts";
import { parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { dashScopeUrl } from "./dashscope-url.ts";

/** Models that answer directly, some of which edit pictures too; all others run tasks. */
const BY_TURNS = /^(?:qwen-image|wan2\.[6-9]|wan[3-9]|z-image)/;
const TURN_PATH = "/api/v1/services/aigc/multimodal-generation/generation";
const TASK_PATH = "/api/v1/services/aigc/text2image/image-synthesis";
const NOTHING = Buffer.alloc(0);

/** Serves pictures by DashScope's own API; undefined for other endpoints. */
export function servePictures(type: ChannelType, endpoint: Endpoint, model: string): Service | undefined {
  const isByTurns = BY_TURNS.test(model);
  if (endpoint !== "image-generations" && (endpoint !== "image-edits" || !isByTurns)) return undefined;
  const urlOf = (connection: ChannelConnection, path: string) => dashScopeUrl(type, connection, path);
  if (!isByTurns) {
    return {
      format: dashScopeTask,
      exact: false,
      async call(request, connection, io, requester) {
        const id = await beginTask(urlOf(connection, TASK_PATH), request, connection, io);
        const url = urlOf(connection, `/api/v1/tasks/${encodeURIComponent(id)}`);
        const headers = bearerHeaders(connection);
        return await awaitTask(
          {
            address: { url, headers },
            isRunning: ({ output }) => /^(?:PENDING|RUNNING|SUSPENDED)$/.test(textOf(recordOf(output).task_status)),
            // DashScope cancels only tasks that have not started.
            cancel: () => io.ask({ method: "POST", url: `${url}/cancel`, headers, body: NOTHING }),
          },
          io,
          requester,
        );
      },
    };
  }
  return {
    format: dashScopeTurn,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: urlOf(connection, TURN_PATH), headers: bearerHeaders(connection) },
      body,
    }),
  };
}

/** Creating a task is quick; it runs afterwards. */
const BEGIN_TIMEOUT_MS = 30_000;

/** Returns the new task's id. Rejects with ProviderFailedError. */
async function beginTask(
  url: string,
  { body }: ProviderRequest,
  connection: ChannelConnection,
  io: ProviderIo,
): Promise<string> {
  const headers = {
    ...bearerHeaders(connection),
    "content-type": "application/json",
    "x-dashscope-async": "enable",
  };
  const reply = await io.ask({ method: "POST", url, headers, body, timeoutMs: BEGIN_TIMEOUT_MS }).catch(() => {
    throw new ProviderFailedError(NO_CONNECTION);
  });
  const { output } = recordOf(parseJson(reply.text));
  const id = textOf(recordOf(output).task_id);
  if (reply.status > 299 || id === "") {
    throw new ProviderFailedError(readError(reply.status, reply.headers, reply.text));
  }
  return id;
}
