import type { Clock, Ms } from '../../../domain/clock'
import { secretIn } from '../../../storage/files/data-folder'
import { copyIt, writeSecrets, type KeyFile } from '../../../storage/files/key-file'
import { newGeneration, type InstallationSecrets } from '../../../storage/files/key-file-format'
import type { Keyring } from '../../../storage/files/keyring'
import type { RotationState, SecretStore, WaitedNode } from './secret-store'
import type { Connection } from '../../../storage/sqlite/connection'
import type { WriteAudit } from '../../audit-log/audit-log-sql'
import { readRotation, saveRotation } from './rotation-state'
import { activeMarkOf, countSecrets, lossesOf, revokeOld, ticketsUntil } from './secret-counts'
import { rehashRows, resealAll, resealSlice } from './secret-rewriting'

/** Processes that serve from the same database elsewhere. Methods are a part of the caller's transaction. */
export interface OtherNodes {
  /** Keeps nodes from beginning and ending until the transaction is over. */
  hold(): void
  /** Serving nodes that have not read the generation of a mark. */
  without(mark: string): readonly WaitedNode[]
  /** Serving nodes that hash under another generation. */
  notUsing(mark: string): readonly WaitedNode[]
  /** Has silent nodes end when they wake, if they have not read the generation of a mark. */
  fenceSilent(mark: string): void
}

interface OpenParts {
  readonly connection: Connection
  readonly folder: string | null
  readonly file: KeyFile
  readonly keyring: Keyring
  readonly clock: Clock
}

interface RotationParts extends OpenParts {
  readonly record: WriteAudit
  /** Null where the database is the folder's own. */
  readonly nodes: OtherNodes | null
}

const wordsOf = ({ number, before, next }: RotationState) => ({
  generation: number,
  before: before?.number ?? null,
  next: next?.number ?? null,
})

/** The rotation of a database's keys, and of the key file beside it. @param nodes null where the database is the folder's own */
export function openSecretRows(
  opened: OpenParts,
  record: WriteAudit,
  nodes: OtherNodes | null,
): SecretStore {
  const parts = { ...opened, record, nodes }
  const { connection, file, clock } = opened
  const state = () => readRotation(connection)
  return {
    state: async () => state(),
    inFile: async () => file.current().generations.map(({ number }) => number),
    activeMark: async () => activeMarkOf(connection, file.current()),
    waitedFor: async () => {
      const { mark, before, next } = state()
      if (nodes === null || mark === null) return []
      if (next !== null) return nodes.without(next.mark)
      return before === null ? [] : nodes.notUsing(mark)
    },
    prepare: async (to) => connection.transaction(() => prepare(parts, to), 'durable'),
    activate: async () => connection.transaction(() => activate(parts), 'durable'),
    cancel: async () => cancel(parts),
    reseal: async (from) =>
      connection.transaction(() => resealSlice(parts, state().number, from), 'durable'),
    rehash: async (rows) => rehashRows(connection, rows),
    counts: async () => countSecrets(connection, state().number, clock.now()),
    losses: async () => lossesOf(connection, state().number, clock.now()),
    ticketsUntil: async () => ticketsUntil(connection, state().number, clock.now()),
    finish: async () => finish(parts),
    trim: async (to) => connection.transaction(() => trim(parts, to), 'durable'),
  }
}

/** Under the lock of the database, which keeps two of these from making two generations. */
function prepare(
  { connection, folder, file, clock }: RotationParts,
  to: string | null,
): RotationState {
  const { mark, ...state } = readRotation(connection)
  if (folder === null || mark === null) throw new RangeError('there is no secret.key to rotate')
  if (state.before !== null)
    throw new RangeError(
      `the rotation to generation ${state.number} is not finished: chapar secret rotate --finish`,
    )
  const secrets = file.current()
  const number = state.number + 1
  const there = secrets.generations.find((each) => each.number === number)
  if (state.next !== null) {
    if (there?.mark !== state.next.mark && to === null) throw otherNext(folder, number)
    if (there?.mark === state.next.mark) return { mark, ...state }
    throw new RangeError(
      `generation ${number} was made already: --cancel takes it back, if its file is lost`,
    )
  }
  // One of a command that was killed before the database knew of it.
  const next = there ?? newGeneration(number)
  const kept = secrets.generations.filter((each) => each.mark === mark)
  if (there === undefined || to !== null)
    writeSecrets(to ?? secretIn(folder), { ...secrets, generations: [...kept, next] })
  const prepared = { ...state, next: { number, mark: next.mark, since: clock.now() } }
  saveRotation(connection, { ...prepared, mark })
  return { mark, ...prepared }
}

const otherNext = (folder: string, number: number): RangeError =>
  new RangeError(
    `${secretIn(folder)} lacks generation ${number}, which was made already: ${copyIt}; --cancel takes it back, if its file is lost`,
  )

function activate({
  connection,
  folder,
  file,
  clock,
  record,
  nodes,
}: RotationParts): readonly WaitedNode[] {
  nodes?.hold()
  const state = readRotation(connection)
  const { next, mark, number } = state
  if (folder === null || mark === null) throw new RangeError('there is no secret.key to rotate')
  if (next === null) return []
  if (!file.current().generations.some((each) => each.mark === next.mark))
    throw otherNext(folder, next.number)
  const waiting = nodes?.without(next.mark) ?? []
  if (waiting.length > 0) return waiting
  nodes?.fenceSilent(next.mark)
  const activated = {
    number: next.number,
    mark: next.mark,
    since: clock.now(),
    before: { number, mark },
    next: null,
  }
  record({
    what: 'secret.rotate',
    work: () => saveRotation(connection, activated),
    subject: () => 'secret',
    before: () => wordsOf(state),
    after: () => wordsOf(activated),
  })
  return waiting
}

/** The database first: until the file is another one, the generation in it is one that nothing names. */
function cancel(parts: RotationParts): boolean {
  const { connection, folder, file } = parts
  return connection.transaction<{ readonly isCancelled: boolean }>(() => {
    const { mark, ...state } = readRotation(connection)
    if (folder === null || mark === null || state.next === null) return { isCancelled: false }
    const { next } = state
    saveRotation(connection, { ...state, mark, next: null })
    const secrets = file.current()
    const generations = secrets.generations.filter((each) => each.mark !== next.mark)
    if (generations.length < secrets.generations.length)
      writeSecrets(secretIn(folder), { ...secrets, generations })
    return { isCancelled: true }
  }, 'durable').isCancelled
}

function finish(parts: RotationParts) {
  const { connection, clock, record, nodes } = parts
  const now = clock.now()
  return record({
    what: 'secret.finish',
    work() {
      nodes?.hold()
      const { mark, ...state } = readRotation(connection)
      if (mark === null || state.before === null) throw new RangeError('no rotation is unfinished')
      refuseUnfinished(connection, { ...state, mark }, nodes, now)
      resealAll(parts, state.number)
      const losses = lossesOf(connection, state.number, now)
      revokeOld(connection, state.number, now)
      saveRotation(connection, { ...state, mark, before: null })
      return losses
    },
    subject: () => 'secret',
    before: () => null,
    after: (losses) => Object.fromEntries(losses.map(({ kind, count }) => [kind, count])),
  })
}

/** @throws RangeError */
function refuseUnfinished(
  connection: Connection,
  { number, mark }: RotationState & { readonly mark: string },
  nodes: OtherNodes | null,
  now: Ms,
): void {
  const behind = nodes?.notUsing(mark) ?? []
  if (behind.length > 0)
    throw new RangeError(
      `nodes ${behind.map(({ node }) => node).join(', ')} do not use generation ${number} yet: try again in a moment`,
    )
  const until = ticketsUntil(connection, number, now)
  if (until !== null)
    throw new RangeError(
      `tickets of the sister service were used that are valid until ${new Date(until).toISOString()}: finish after that`,
    )
}

/** What the database does not name goes out of the file. */
function trim({ connection, folder, file }: RotationParts, to: string | null): readonly number[] {
  const { mark, before, next } = readRotation(connection)
  if (folder === null || mark === null) return []
  const named = new Set([mark, before?.mark, next?.mark])
  const secrets: InstallationSecrets = file.current()
  const generations = secrets.generations.filter((each) => named.has(each.mark))
  const gone = secrets.generations.filter((each) => !named.has(each.mark))
  // Of a file that is another one's, nothing is taken.
  if (gone.length === 0 || generations.length === 0) return []
  writeSecrets(to ?? secretIn(folder), { ...secrets, generations })
  return gone.map(({ number }) => number)
}
