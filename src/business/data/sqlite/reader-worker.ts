/** The thread of the reader. */
import { setPriority } from 'node:os'
import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { ReadRefused } from '../../../domain/reports/account-reader'
import * as schema from '../../../storage/schema'
import { openAccountReader } from '../../accounts/account-query'
import { openOperatorReader } from '../../usage/operator-reader'
import { openReadDeadline } from '../../../storage/sqlite/read-deadline'
import type { ReadAnswer, ReadOrder, StorageReader } from './reader-thread'
import { endSelf } from '../../../storage/worker-thread'

declare const self: Worker

type AnyRead = (...args: readonly unknown[]) => Promise<unknown>

/** How long a read waits for another one's lock; readers of such a log wait for nobody else. */
const busyTimeoutMs = 1000
const cacheKb = 8192

function open(file: string, maxReadMs: number) {
  const raw = new Database(file, { readonly: true, strict: true })
  raw.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  raw.run('PRAGMA query_only = ON')
  raw.run(`PRAGMA cache_size = -${cacheKb}`)
  const connection = { raw, orm: drizzle(raw, { schema }) }
  const deadline = openReadDeadline(connection)
  const reader: StorageReader = {
    ...openAccountReader(connection, deadline),
    ...openOperatorReader(connection, deadline),
  }
  return {
    close: () => raw.close(true),
    read(name: keyof StorageReader, args: readonly unknown[]): Promise<unknown> {
      deadline.begin(maxReadMs)
      return (reader[name] as AnyRead)(...args)
    },
  }
}

/** Below the event loop's: where both want a core, calls go first. */
const threadNice = 10

/** Of this thread alone, which only Linux can; elsewhere it would be the whole program's. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, threadNice)
  } catch {
    // Where that is forbidden, pages are read as calls are.
  }
}

let opened: ReturnType<typeof open> | null = null

async function answer({ id, name, args }: Extract<ReadOrder, { order: 'read' }>) {
  if (opened === null) throw new Error('a read before the beginning')
  let said: ReadAnswer
  try {
    said = { id, value: await opened.read(name, args) }
  } catch (thrown) {
    said = {
      id,
      fault: thrown instanceof Error ? thrown.message : String(thrown),
      reason: thrown instanceof ReadRefused ? thrown.reason : null,
    }
  }
  postMessage(said)
}

self.addEventListener('message', ({ data }: MessageEvent<ReadOrder>) => {
  if (data.order === 'begin') {
    giveWay()
    opened = open(data.file, data.maxReadMs)
  } else if (data.order === 'read') void answer(data)
  else endSelf(data, () => opened?.close())
})
