/** The kernel counts the time of a process in hundredths of a second, whatever its own tick is. */
const TICK_MS = 10;

/**
 * Parent and processor time, user and system, of `/proc/<pid>/stat`. The name in it may hold anything, `)` too.
 *
 * @param {string} text
 */
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
}

/**
 * The peak memory of a process in bytes, from `/proc/<pid>/status`; undefined after it has ended.
 *
 * @param {string} text
 */
export function parsePeak(text) {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/**
 * The bytes that a process has written to files, of `/proc/<pid>/io`.
 *
 * @param {string} text
 */
export function parseWritten(text) {
  const bytes = /^write_bytes: (\d+)$/m.exec(text)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}
