import { statfsSync } from 'node:fs'

const gigabyte = 1024 ** 3
/** Below it nothing may be written soon. */
export const lowDiskBytes = 2 * gigabyte
/** Below it money is in danger. */
export const dangerousDiskBytes = gigabyte / 4

/** What is free on the disk of a folder, for who is not root. */
export function diskBytesFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
