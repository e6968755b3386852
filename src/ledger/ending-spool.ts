import type { SpoolRecord } from './spool-record'
import { spoolLine, spoolRecordBytes } from './spool-record'

/**
 * File of what no commit has written yet, beside the database: what is in it survives this process,
 * and the next one charges it. Always written over from its beginning: it never grows with the history.
 */
export interface EndingSpool {
  /** Hands a line to the operating system. @throws what the file system throws */
  append(line: string): void
  /** Everything in it is committed: the next line is written over it. */
  clear(): void
  /** Keeps room for so many bytes more, if need be by taking more of the disk. @returns false when it gives none */
  reserve(bytes: number): boolean
  /** Takes a little more of the disk, whatever room there is. @returns false when it gives none */
  extend(): boolean
  /** @param committed everything in it is: it is removed */
  close(committed: boolean): void
}

/** Gathers records until somebody is about to be told. */
export interface SpoolWriter {
  add(record: SpoolRecord): void
  /** Nothing waits to be handed over. */
  empty(): boolean
  /** One write for all that was added. What fails stays. @throws what the file system throws */
  write(): void
  /** A commit begins that writes all that was added so far. */
  begin(): void
  /**
   * That commit is over. What was added since stays: the file is written from its beginning again once
   * there is nothing of that.
   */
  committed(): void
  /** Both at once, for whoever knows that all that was added is committed. */
  clear(): void
  /** Room for the endings of so many calls. @returns false when the disk gives none */
  roomFor(calls: number): boolean
}

/** A ledger in memory has nothing that could survive. */
const noWriter: SpoolWriter = {
  add() {},
  empty: () => true,
  write() {},
  begin() {},
  committed() {},
  clear() {},
  roomFor: () => true,
}

/** @param spool null for a ledger in memory */
export function openSpoolWriter(spool: EndingSpool | null): SpoolWriter {
  if (spool === null) return noWriter
  let records: SpoolRecord[] = []
  /** Those of the records that the commit under way writes, and whether others were added since. */
  let covered = 0
  let isAhead = false
  return {
    add(record) {
      records.push(record)
      isAhead = true
    },
    empty: () => records.length === 0,
    write() {
      if (records.length === 0) return
      spool.append(spoolLine(records))
      records = []
      covered = 0
    },
    begin() {
      covered = records.length
      isAhead = false
    },
    committed() {
      if (covered > 0) records = records.slice(covered)
      covered = 0
      if (!isAhead) spool.clear()
    },
    clear() {
      records = []
      covered = 0
      spool.clear()
    },
    roomFor: (calls) => spool.reserve((records.length + calls) * spoolRecordBytes),
  }
}
