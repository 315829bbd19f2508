import type { BlockList } from "node:net";
import type { TokenLimits } from "./limits/token-limiter.ts";

/** Who calls the relay: a token and its owner, as they stood when they were last read. */
export interface Caller {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly tokenStatus: number;
  /** Unix seconds; -1 never. */
  readonly expiredTime: number;
  readonly unlimitedQuota: boolean;
  /** Models that the token may call; undefined for all. */
  readonly models: ReadonlySet<string> | undefined;
  /** Networks that the token may call from; undefined for all. */
  readonly networks: BlockList | undefined;
  readonly limits: TokenLimits;
  readonly customContact: string;
  /** Prompts go through a moderation model first. */
  readonly moderated: boolean;
  readonly userId: number;
  readonly username: string;
  readonly userRole: number;
  readonly userStatus: number;
  /** The user's groups, the first one first; prices follow the first that serves the model. */
  readonly groups: readonly string[];
}
