import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import type { AnswerStream } from "./translation.ts";

export abstract class AroundStream implements AnswerStream {
  protected readonly events: AnswerStream;

  constructor(events: AnswerStream) {
    this.events = events;
  }

  get state(): AnswerStream["state"] {
    return this.events.state;
  }

  get failure(): Failure | undefined {
    return this.events.failure;
  }

  get sawContent(): boolean {
    return this.events.sawContent;
  }

  get usage(): Usage | undefined {
    return this.events.usage;
  }

  get closing(): Buffer {
    return this.events.closing;
  }

  deliveredTokens(): number {
    return this.events.deliveredTokens();
  }

  get beside(): AnswerStream["beside"] {
    return this.events.beside;
  }

  saysSomething(piece: Buffer): boolean {
    return this.events.saysSomething?.(piece) ?? true;
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.events.push(chunk);
  }

  finish(): Buffer | undefined {
    return this.events.finish();
  }

  writeUsage(usage: Usage): Buffer {
    return this.events.writeUsage?.(usage) ?? Buffer.alloc(0);
  }
}
