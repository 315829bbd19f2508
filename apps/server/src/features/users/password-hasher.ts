import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { compare } from "bcryptjs";
import { AppError } from "../../core/app-error.ts";
import { createConcurrencyLimit } from "../../platform/work/concurrency-limit.ts";

/** argon2id with the parameters of OWASP's password storage cheat sheet: 46 MiB, one pass, one lane. */
const MEMORY_KIB = 47_104;
const PASSES = 1;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PARALLEL_HASHES = 2;
const WAITING_HASHES = 50;

/** Hashes and checks passwords. Throws `login-busy` if too many calls wait, as each hash takes 46 MiB. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Without a hash, a dummy hash is checked, so that the answer takes as long. */
  verify(password: string, passwordHash: string | undefined): Promise<boolean>;
}

/** Hashes of One API and new-api: bcrypt. */
const BCRYPT_HASH = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

/** True for an imported hash. It is replaced after the next successful login. */
export function isBcryptHash(passwordHash: string): boolean {
  return BCRYPT_HASH.test(passwordHash);
}

interface Argon2Work {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
  readonly salt: Buffer;
  readonly tagBytes: number;
}

/** Runs at most two hashes at once. Tests that do not concern passwords may use less memory and time. */
export function createPasswordHasher(memoryKib = MEMORY_KIB): PasswordHasher {
  const newWork = (): Argon2Work => ({
    memoryKib,
    passes: PASSES,
    lanes: LANES,
    salt: randomBytes(SALT_BYTES),
    tagBytes: TAG_BYTES,
  });
  const limit = createConcurrencyLimit(PARALLEL_HASHES, WAITING_HASHES, () => {
    throw new AppError("login-busy", "Too many people log in at this moment. Try again in a few seconds.");
  });
  const dummy = { work: newWork(), tag: randomBytes(TAG_BYTES) };
  return {
    hash: async (password) => {
      const work = newWork();
      const tag = await limit(() => derive(password, work));
      return toPhc(work, tag);
    },
    verify: async (password, passwordHash) => {
      // Differs in time from argon2id, so measurements can reveal imported accounts that have not logged in
      // yet.
      if (passwordHash !== undefined && isBcryptHash(passwordHash)) return limit(() => compare(password, passwordHash));
      const { work, tag } = passwordHash === undefined || passwordHash === "" ? dummy : fromPhc(passwordHash);
      return timingSafeEqual(await limit(() => derive(password, work)), tag);
    },
  };
}

function derive(password: string, work: Argon2Work): Promise<Buffer> {
  const parameters = {
    message: password.normalize("NFC"),
    nonce: work.salt,
    parallelism: work.lanes,
    tagLength: work.tagBytes,
    memory: work.memoryKib,
    passes: work.passes,
  };
  return new Promise((resolve, reject) => {
    argon2("argon2id", parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)));
  });
}

/** PHC string format (github.com/P-H-C/phc-string-format): base64 without padding. */
function toPhc(work: Argon2Work, tag: Buffer): string {
  const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${work.memoryKib},t=${work.passes},p=${work.lanes}$${base64(work.salt)}$${base64(tag)}`;
}

function fromPhc(text: string): { work: Argon2Work; tag: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(text);
  if (parts === null) throw new Error("A stored password hash is not in a known format.");
  const [, memoryKib, passes, lanes, salt = "", tag = ""] = parts;
  const tagBytes = Buffer.from(tag, "base64");
  return {
    work: {
      memoryKib: Number(memoryKib),
      passes: Number(passes),
      lanes: Number(lanes),
      salt: Buffer.from(salt, "base64"),
      tagBytes: tagBytes.length,
    },
    tag: tagBytes,
  };
}
