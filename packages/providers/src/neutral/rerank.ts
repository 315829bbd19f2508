export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number | undefined;
  readonly returnDocuments: boolean;
  /** Fields without a neutral equivalent, by the caller's names; dropped by other formats. */
  readonly foreign: readonly string[];
}

/** The best documents first. */
export interface RerankAnswer {
  readonly id: string;
  readonly model: string;
  readonly results: readonly RankedDocument[];
  readonly promptTokens: number | undefined;
  readonly searches: number | undefined;
}

interface RankedDocument {
  readonly index: number;
  readonly score: number;
}
