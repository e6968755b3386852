import { randomUUID } from 'node:crypto'
import { closeSync, openSync, read, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ByteFile } from '../media/byte-file'

/** A file that only this process can reach: it has no name, and is gone when it is closed. */
export interface SpooledFile extends ByteFile {
  /** Appends synchronously: queued writes would accumulate in memory. @throws Error */
  append(bytes: Uint8Array): void
  /** @returns how many bytes were there @throws Error once it is closed */
  readInto(buffer: Uint8Array, offset: number): Promise<number>
  /** It stays open until this is let go of. @returns lets go, once @throws Error once it is closed */
  hold(): () => void
  /** Waits for nobody; who holds it or is reading keeps it for so long. */
  close(): void
}

/** Folder of uploads that are on their way. */
export interface Spool {
  /** @throws Error when the folder cannot be written */
  open(): SpooledFile
}

/** Opens the spool of uploads. @param folder on a disk, not in memory */
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
  /** Readers and operations under way. */
  let users = 0
  let closed = false
  let gone = false

  /** A number of a closed file may be another file's by now. */
  const check = () => {
    if (gone) throw new Error('the upload is closed')
  }
  const closeWhenIdle = () => {
    if (!closed || gone || users > 0) return
    gone = true
    closeSync(descriptor)
  }
  const hold = () => {
    check()
    users++
    let held = true
    return () => {
      if (!held) return
      held = false
      users--
      closeWhenIdle()
    }
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
    readInto(buffer, offset) {
      const letGo = hold()
      return new Promise((resolve, reject) => {
        read(descriptor, buffer, 0, buffer.byteLength, offset, (error, count) => {
          letGo()
          if (error === null) resolve(count)
          else reject(error)
        })
      })
    },
    hold,
    close() {
      closed = true
      closeWhenIdle()
    },
  }
}
