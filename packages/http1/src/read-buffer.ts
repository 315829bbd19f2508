const READ_BYTES = 64 * 1024;

/**
 * Buffer that all connections are read into; each reader copies its bytes out. Without it, Node allocates 64 KiB for every read.
 */
export const READ_BUFFER = Buffer.allocUnsafeSlow(READ_BYTES);
