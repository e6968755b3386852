import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Brings a file, or the entries of a folder, to the disk, whatever the system holds back. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
