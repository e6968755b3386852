import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import type { Ms } from '../../domain/clock'
import type { EndingSpool } from '../../ledger/ending-spool'
import {
  readSpoolRecords,
  spoolEnd,
  spoolDatabase,
  spoolHead,
  type SpoolRecord,
} from '../../ledger/spool-record'
import { spoolIn } from './data-folder'

/** The spool of a data folder, and what an earlier process left in it. */
export interface EndingFile extends EndingSpool {
  /** Records that are whole; those of another database are not among them. */
  records(): readonly SpoolRecord[]
  /** Until then nothing of what was left is written over. */
  replayed(): void
}

const blockBytes = 65_536
/** Taken when the file is made: the endings of some hundred calls have room on a full disk. */
const firstBytes = 4 * blockBytes
/** A file that a long fault made larger is cut back. */
const keptBytes = 4_194_304
const zeros = new Uint8Array(blockBytes)
/** Where lines become bytes: the same memory each time. */
const scratch = Buffer.alloc(blockBytes)

/**
 * Opens nothing before the first write, so that commands beside a gateway leave the file alone.
 * @param database its identity
 */
export function openEndingFile(folder: string, database: string): EndingFile {
  const file = spoolIn(folder)
  const head = Buffer.from(spoolHead(database))
  let descriptor: number | null = null
  /** Where the next line goes, and where lines go once everything is committed. */
  let at = head.length
  let base = head.length
  let takenBytes = 0
  let isReplayed = false

  const take = (bytes: Uint8Array, from: number) => {
    for (let done = 0; done < bytes.length;)
      done += writeSync(opened(), bytes, done, bytes.length - done, from + done)
  }

  const grow = () => {
    take(zeros, takenBytes)
    takenBytes += blockBytes
  }

  const growTo = (bytes: number) => {
    const blocks = Math.ceil((bytes - takenBytes) / blockBytes)
    for (let block = 0; block < blocks; block++) grow()
  }

  const opened = (): number => {
    if (descriptor !== null) return descriptor
    const left = read(file)
    const own = left !== null && spoolDatabase(left) === database
    const fresh = openSync(file, own ? 'r+' : 'w+', 0o600)
    descriptor = fresh
    takenBytes = fstatSync(fresh).size
    if (!own) isReplayed = true
    if (!isReplayed) at = base = readSpoolRecords(left ?? zeros, head.length).end
    try {
      // Over one of an earlier version too, once nothing of it is needed.
      if (isReplayed) take(head, 0)
      if (!own) takenBytes = head.length
      growTo(firstBytes)
    } catch (thrown) {
      closeSync(fresh)
      descriptor = null
      throw thrown
    }
    return fresh
  }

  const gives = (work: () => void): boolean => {
    try {
      opened()
      work()
      return true
    } catch {
      return false
    }
  }

  return {
    records() {
      const left = read(file)
      if (left === null || spoolDatabase(left) !== database) return []
      return readSpoolRecords(left, head.length).records
    },
    replayed() {
      isReplayed = true
      base = at = head.length
    },
    append(line) {
      const handle = opened()
      const text = line + spoolEnd
      const fits = 3 * text.length <= scratch.length
      const bytes = fits ? scratch.write(text) : Buffer.byteLength(text)
      const content = fits ? scratch : Buffer.from(text)
      const written = writeSync(handle, content, 0, bytes, at)
      if (written < bytes) take(content.subarray(written, bytes), at + written)
      takenBytes = Math.max(takenBytes, at + bytes)
      // The next line is written over the end.
      at += bytes - spoolEnd.length
    },
    clear() {
      at = base
      const handle = descriptor
      if (takenBytes <= keptBytes || handle === null || at + blockBytes > firstBytes) return
      gives(() => {
        ftruncateSync(handle, firstBytes)
        takenBytes = firstBytes
      })
    },
    reserve(bytes) {
      if (descriptor !== null && at + bytes <= takenBytes) return true
      return gives(() => growTo(at + bytes))
    },
    extend: () => gives(grow),
    close(committed) {
      if (descriptor === null) return
      closeSync(descriptor)
      descriptor = null
      if (committed && isReplayed) rmSync(file, { force: true })
    },
  }
}

/** Null where there is nothing: it was being made when its process died. */
function read(file: string): Uint8Array | null {
  const bytes = existsSync(file) ? readFileSync(file) : zeros.subarray(0, 0)
  return bytes.length === 0 ? null : bytes
}

/**
 * Puts a spool of another database aside, where it can be looked into.
 * @returns its new name; null where there was none
 */
export function setForeignSpoolAside(folder: string, database: string, time: Ms): string | null {
  const left = read(spoolIn(folder))
  if (left === null || spoolDatabase(left) === database) return null
  const aside = `${spoolIn(folder)}.${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(spoolIn(folder), aside)
  return aside
}

/** Names of those that were put aside. */
export const foreignSpools = (folder: string): readonly string[] => {
  const own = basename(spoolIn(folder))
  return readdirSync(folder).filter((name) => name.startsWith(`${own}.`))
}
