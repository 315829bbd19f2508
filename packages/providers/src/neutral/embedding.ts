/** A request for embeddings as every format can say it. */
export interface EmbeddingRequest {
  readonly model: string;
  /** One vector for each. */
  readonly inputs: readonly string[];
  /** Numbers in each vector; undefined leaves it to the provider. */
  readonly dimensions: number | undefined;
  /** Vectors as base64 of little-endian 32-bit numbers instead of lists. */
  readonly isBase64: boolean;
  /** One text was asked for by itself, not as a list of one. */
  readonly isSingle: boolean;
  /** What the texts are for, where the caller says so (`input_type`, also among `foreign`): `search_query`, `search_document` … */
  readonly inputType?: string;
  /** Fields that the form has no word for, by the caller's names; dropped by other formats. */
  readonly foreign: readonly string[];
}

/** Vectors in the order of the inputs. */
export interface EmbeddingAnswer {
  readonly model: string;
  readonly vectors: readonly (readonly number[])[];
  /** Undefined when the provider reported none. */
  readonly promptTokens: number | undefined;
}
