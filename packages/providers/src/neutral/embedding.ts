export interface EmbeddingRequest {
  readonly model: string;
  readonly inputs: readonly string[];
  /** Numbers in each vector; undefined: the provider's default. */
  readonly dimensions: number | undefined;
  /** Vectors as base64 of little-endian 32-bit floats instead of lists. */
  readonly isBase64: boolean;
  /** The input was one text, not a list of one. */
  readonly isSingle: boolean;
  /** Purpose of the texts (`input_type`, also among `foreign`): `search_query`, `search_document` … */
  readonly inputType?: string;
  /** Fields without a neutral equivalent, by the caller's names; dropped by other formats. */
  readonly foreign: readonly string[];
}

/** Vectors in the order of the inputs. */
export interface EmbeddingAnswer {
  readonly model: string;
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number | undefined;
}
