/** A request to order documents by what they have to do with a query, as every format can say it. */
export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  /** So many of the best are told; undefined for all. */
  readonly topN: number | undefined;
  /** The answer repeats the documents. */
  readonly returnDocuments: boolean;
  /** Fields that the form has no word for, by the caller's names; dropped by other formats. */
  readonly foreign: readonly string[];
}

/** The best documents first. */
export interface RerankAnswer {
  /** Empty where the provider gives none. */
  readonly id: string;
  readonly model: string;
  readonly results: readonly RankedDocument[];
  /** Undefined when the provider reported none. */
  readonly promptTokens: number | undefined;
  /** What the provider bills as searches: a query with up to a hundred documents; undefined when it reported none. */
  readonly searches: number | undefined;
}

interface RankedDocument {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly score: number;
}
