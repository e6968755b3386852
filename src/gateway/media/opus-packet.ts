/** Milliseconds of a frame by the five bits of configuration (RFC 6716, 3.1, table 2). */
const frameMs = (config: number): number => {
  if (config < 12) return [10, 20, 40, 60][config & 3] ?? 60
  if (config < 16) return (config & 1) === 0 ? 10 : 20
  return [2.5, 5, 10, 20][config & 3] ?? 20
}
const maxPacketMs = 120

/** Seconds of an Opus packet by its first two bytes (RFC 6716, 3.1 and 3.2); 0 where it has none. */
export function opusSeconds(first: number, second: number): number {
  if (first < 0) return 0
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? Math.max(0, second) & 0x3f : 2
  return Math.min(maxPacketMs, frames * frameMs(first >> 3)) / 1000
}
