import { gzipSync } from "node:zlib";

/** A file of an archive; all of them can be run. */
/** @typedef {{ name: string, text: Buffer }} Entry */

const BLOCK = 512;

/**
 * A tar.gz with these files, the same bytes whenever and wherever it is made: no time, no user, no name of a system.
 *
 * @param {readonly Entry[]} entries
 */
export function archive(entries) {
  const blocks = entries.flatMap(({ name, text }) => [header(name, text.length), padded(text)]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The byte that names the system which packed it.
  packed[9] = 255;
  return packed;
}

/**
 * @param {string} name
 * @param {number} size
 */
function header(name, size) {
  const block = Buffer.alloc(BLOCK);
  /** @type {(text: string, at: number) => void} */
  const put = (text, at) => void block.write(text, at, "latin1");
  /** @type {(value: number, digits: number) => string} */
  const octal = (value, digits) => value.toString(8).padStart(digits, "0");
  put(name, 0);
  put(octal(0o755, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  put("        ", 148);
  put("0", 156);
  put("ustar\0", 257);
  put("00", 263);
  // The sum counts its own place as blanks.
  put(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return block;
}

/** @param {Buffer} text */
function padded(text) {
  return Buffer.concat([text, Buffer.alloc((BLOCK - (text.length % BLOCK)) % BLOCK)]);
}
