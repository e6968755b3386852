import { randomUUID } from 'node:crypto'
import { closeSync, openSync, read, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ByteFile } from '../media/byte-file'

/** A file that only this process can reach: it has no name, and is gone when it is closed. */
export interface SpooledFile extends ByteFile {
  /** Behind what is there: at once, since pieces that wait for a disk fill the memory. @throws Error */
  append(bytes: Uint8Array): void
  /** @returns how many bytes were there @throws Error once it is closed */
  readInto(buffer: Uint8Array, offset: number): Promise<number>
  /** Waits for nobody; what is being read ends first. */
  close(): void
}

/** Where uploads lie while they are on their way. */
export interface Spool {
  /** @throws Error when the folder cannot be written */
  open(): SpooledFile
}

/** @param folder on a disk, not in memory */
export function openSpool(folder: string): Spool {
  return {
    open() {
      const path = join(folder, `.upload-${randomUUID()}`)
      const descriptor = openSync(path, 'wx+', 0o600)
      // From here on it lives as long as its descriptor: whatever ends the process ends it too.
      unlinkSync(path)
      return spooledFile(descriptor)
    },
  }
}

function spooledFile(descriptor: number): SpooledFile {
  let size = 0
  let busy = 0
  let closed = false

  /** A number of a closed file may be another file's by now. */
  const check = () => {
    if (closed) throw new Error('the upload is closed')
  }
  const closeWhenIdle = () => {
    if (closed && busy === 0) closeSync(descriptor)
  }
  /** @param run one operation with its callback */
  const during = (run: (done: (error: Error | null, count: number) => void) => void) => {
    check()
    busy++
    return new Promise<number>((resolve, reject) => {
      run((error, count) => {
        busy--
        closeWhenIdle()
        if (error === null) resolve(count)
        else reject(error)
      })
    })
  }

  return {
    get size() {
      return size
    },
    append(bytes) {
      check()
      for (let sent = 0; sent < bytes.byteLength;) {
        const count = writeSync(descriptor, bytes, sent, bytes.byteLength - sent, size)
        sent += count
        size += count
      }
    },
    read(offset, length) {
      check()
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
      return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, offset))
    },
    readInto: (buffer, offset) =>
      during((done) => read(descriptor, buffer, 0, buffer.byteLength, offset, done)),
    close() {
      if (closed) return
      closed = true
      closeWhenIdle()
    },
  }
}
