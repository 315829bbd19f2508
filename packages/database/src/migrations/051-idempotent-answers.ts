import { integer, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** Answers of calls that were made with an Idempotency-Key, for a day: a repeated call gets the first answer. */
export const idempotentAnswers: Migration = {
  number: 51,
  name: "idempotent-answers",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "idempotent_answers", {
      user_id: integer,
      key_hash: text,
      request_hmac: text,
      answer_cipher: text,
      expires_at: integer,
    }).addPrimaryKeyConstraint("idempotent_answers_primary_key", ["user_id", "key_hash"]),
    createIndex(builder, "idempotent_answers", ["expires_at"]),
  ],
};
