import type { Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../../domain/record'
import { cachedTokens, inputTokens, outputTokens, type Units } from '../../domain/usage'
import type { DayIn } from '../../domain/zone-days'
import type { DueNotice } from '../../domain/notice'
import { crossesThreshold, type Batch, type Carried, type LedgerStore } from '../store'
import { houseAccounts } from '../system-accounts'
import type { Connection } from '../../storage/sqlite/connection'
import { wholeCount } from '../sums/day-sums'
import { openNoticeWriter } from '../../storage/sqlite/notice-writer'
import type { EndingFile } from './spool-file'
import { recover } from './recovery'
import { batchToReplay } from './replay'
import type { Rows } from '../../storage/sqlite/sync-store'
import type { Sums } from '../sums/aggregator'
import { callsOf, openUncoveredCharges } from './shortfall'

/** What writes rows of other stores inside of a commit. */
type CommitJoins = Readonly<Record<Carried['to'], ((row: object) => void) | undefined>>

interface LedgerRowsParts {
  readonly clock: Clock
  readonly sums: Sums
  /** The day in which a call of this process began, by the service's zone. */
  readonly zoneDay: DayIn
  readonly joins: CommitJoins
  /** What an earlier process left unwritten; null for a database in memory. */
  readonly spool: Pick<EndingFile, 'records' | 'replayed'> | null
}

/** Rows of the ledger: prepared once, written many calls to a transaction. */
export function openLedgerRows(
  connection: Connection,
  { clock, sums, zoneDay, joins, spool }: LedgerRowsParts,
): Rows<LedgerStore> {
  const { raw } = connection
  const balance = raw.prepare<{ balance: number }, [number]>(
    'SELECT balance FROM accounts WHERE id = ?',
  )
  const balanceOf = (account: AccountId): NanoUsd | null => {
    const row = balance.get(account)
    return row === null ? null : nanoUsd(row.balance)
  }
  const find = raw.prepare<{ status: string; cost: number }, [string]>(
    'SELECT status, cost FROM requests WHERE id = ?',
  )
  const write = prepareWrites(connection, { clock, sums, zoneDay, balanceOf, joins })

  return {
    sums: (scopes) =>
      scopes.map((scope) =>
        scope.kind === 'balance' ? (balanceOf(scope.id) ?? zeroUsd) : sums.spent(scope),
      ),
    commit(batch, durable) {
      const mode = durable ? 'durable' : 'brief'
      const { balances, lastCharge } = connection.transaction(() => write(batch, durable), mode)
      if (lastCharge !== null) sums.add(batch, lastCharge)
      return balances
    },
    sumUp: sums.write,
    recover(running = new Set()) {
      const replay = () => {
        const batch = batchToReplay(connection, spool?.records() ?? [])
        write(batch, false)
        return batch.ended.length
      }
      const calls = recover(connection, { sums, clock, replay, running })
      spool?.replayed()
      return calls
    },
    find(id) {
      const row = find.get(id)
      return row === null ? null : { status: row.status, cost: nanoUsd(row.cost) }
    },
  }
}

/** What a commit did. */
interface Written {
  /** Committed balances of the accounts it charged. */
  readonly balances: ReadonlyMap<AccountId, NanoUsd>
  /** The newest of its transfers; null when it charged nothing. */
  readonly lastCharge: number | null
}

function prepareWrites(
  connection: Connection,
  parts: {
    readonly clock: Clock
    readonly sums: Sums
    readonly zoneDay: DayIn
    readonly balanceOf: (account: AccountId) => NanoUsd | null
    readonly joins: CommitJoins
  },
): (batch: Batch, durable: boolean) => Written {
  const { raw, numbersRows } = connection
  const { sums, zoneDay, balanceOf, joins } = parts
  const addNotices = openNoticeWriter(connection)
  const cover = openUncoveredCharges(connection, parts.clock)
  const insertRequest = raw.prepare(`
    INSERT INTO requests (id, account, project, key, endpoint, model, streamed, address, created,
      zone_day, card_version, status, vendor, vendor_model, vendor_answer, input_tokens, output_tokens, cached_tokens,
      reasoning_tokens, units, estimated, cost, held, unpaid, error, latency_ms, first_byte_ms, vendor_cost,
      cost_card, vendor_cost_estimated)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const endRequest = raw.prepare(`
    UPDATE requests SET status = ?, vendor = ?, vendor_model = ?, vendor_answer = ?, input_tokens = ?,
      output_tokens = ?, cached_tokens = ?, reasoning_tokens = ?, units = ?, estimated = ?,
      cost = ?, held = ?, unpaid = ?, error = ?, latency_ms = ?, first_byte_ms = ?, vendor_cost = ?,
      cost_card = ?, vendor_cost_estimated = ?
    WHERE id = ? AND status = 'pending'`)
  const reopenRequest = raw.prepare(`
    UPDATE requests SET model = ?, card_version = ? WHERE id = ? AND status = 'pending'`)
  const noteOwed = raw.prepare(`
    UPDATE requests SET vendor = ?, vendor_model = ?, input_tokens = ?, output_tokens = ?,
      cached_tokens = ?, reasoning_tokens = ?, units = ?, estimated = ?, held = ?, owed = ?,
      vendor_cost = ?, cost_card = ?, vendor_cost_estimated = ?
    WHERE id = ? AND status = 'pending'`)
  const transfer = raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    VALUES (?, ${houseAccounts.revenue}, ?, 'charge', ?, ?)`)
  // One statement for all that a commit inserts as ended, and each is charged what its record says.
  // Nothing else that it inserts from there on has a cost.
  const transferFrom = numbersRows
    ? raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    SELECT account, ${houseAccounts.revenue}, cost, 'charge', id, created
    FROM requests WHERE rowid >= ? AND cost > 0 ORDER BY rowid`)
    : null
  // Read in a statement of its own: for what an update returns SQLite opens a table each time.
  const move = raw.prepare('UPDATE accounts SET balance = balance + ? WHERE id = ?')
  // A transaction that changes no byte syncs nothing: with this, a durable one always brings what
  // earlier groups left to the operating system to the disk too.
  const mark = raw.prepare(`
    INSERT INTO settings (key, value) VALUES ('durable_commits', '1')
    ON CONFLICT (key) DO UPDATE SET value = CAST(settings.value AS INTEGER) + 1`)

  return (batch, durable) => {
    for (const opening of batch.opened)
      insertRequest.run(...openingColumns(opening, zoneDay), ...pendingColumns)
    for (const { model, cardVersion, id } of batch.reopened ?? [])
      if (reopenRequest.run(model, cardVersion, id).changes !== 1)
        throw new Error(`no pending record of ${id}`)
    for (const { opening, owed, held } of batch.owed ?? [])
      if (noteOwed.run(...owedColumns(owed, held), opening.id).changes !== 1)
        throw new Error(`no pending record of ${opening.id}`)
    const charges = new Map<AccountId, NanoUsd>()
    let revenue = zeroUsd
    let lastCharge: number | null = null
    let firstRow: number | null = null
    let inserted = 0
    for (const { opening, ending, held, wasOpened, carried } of batch.ended) {
      const columns = endingColumns(ending, held)
      const { account, id, created } = opening
      if (!wasOpened) {
        const { lastInsertRowid } = insertRequest.run(
          ...openingColumns(opening, zoneDay),
          ...columns,
        )
        firstRow ??= Number(lastInsertRowid)
      } else if (endRequest.run(...columns, id).changes !== 1)
        throw new Error(`no pending record of ${id}`)
      if (carried) joinOf(joins, carried)(carried.row)
      if (ending.cost === 0) continue
      if (wasOpened || transferFrom === null)
        lastCharge = Number(transfer.run(account, ending.cost, id, created).lastInsertRowid)
      else inserted++
      charges.set(account, plus(charges.get(account) ?? zeroUsd, ending.cost))
      revenue = plus(revenue, ending.cost)
    }
    if (transferFrom !== null && firstRow !== null && inserted > 0) {
      const { changes, lastInsertRowid } = transferFrom.run(firstRow)
      if (changes !== inserted) throw new Error(`${changes} charges of ${inserted}`)
      lastCharge = Number(lastInsertRowid)
    }
    sums.writeFree(batch.ended)
    const balances = new Map<AccountId, NanoUsd>()
    for (const [account, charge] of charges) {
      move.run(-charge, account)
      const balance = balanceOf(account)
      if (balance === null) throw new Error(`no account ${account}`)
      const covered =
        balance < 0 ? cover({ account, calls: callsOf(account, batch), balance }) : balance
      balances.set(account, covered)
    }
    if (revenue > 0) move.run(revenue, houseAccounts.revenue)
    addNotices(noticesOf(batch, balances))
    if (durable) mark.run()
    return { balances, lastCharge }
  }
}

function joinOf(joins: CommitJoins, { to }: Carried): (row: object) => void {
  const join = joins[to]
  if (join === undefined) throw new Error(`nobody writes rows of ${to}`)
  return join
}

function noticesOf(
  { notices = [], floors = [] }: Batch,
  balances: ReadonlyMap<AccountId, NanoUsd>,
): readonly DueNotice[] {
  const fallen = floors.flatMap((floor) => {
    const amount = balances.get(floor.account)
    if (amount === undefined || !crossesThreshold(floor, amount)) return []
    const { notice, channels } = floor.due
    return { notice: { ...notice, amount }, channels }
  })
  return fallen.length === 0 ? notices : [...notices, ...fallen]
}

const openingColumns = (opening: CallOpening, zoneDay: DayIn) =>
  [
    opening.id,
    opening.account,
    opening.project,
    opening.key,
    opening.endpoint,
    opening.model,
    opening.streamed,
    opening.address,
    opening.created,
    zoneDay(opening.created),
    opening.cardVersion,
  ] as const

const pendingColumns = [
  'pending',
  null,
  null,
  null,
  0,
  0,
  0,
  0,
  null,
  false,
  0,
  0,
  null,
  null,
  null,
  null,
  null,
  null,
  false,
] as const

const owedColumns = ({ usage, ...owed }: AccruedCost, held: NanoUsd) =>
  [
    owed.vendor,
    owed.vendorModel,
    wholeCount(inputTokens(usage)),
    wholeCount(outputTokens(usage)),
    wholeCount(cachedTokens(usage)),
    wholeCount(usage.reasoning),
    otherUnits(usage.units),
    usage.estimated,
    held,
    owed.cost,
    owed.vendorCost?.amount ?? null,
    owed.vendorCost?.card ?? null,
    owed.vendorCost?.estimated ?? false,
  ] as const

const endingColumns = (ending: CallEnding, held: NanoUsd) => {
  const { usage } = ending
  return [
    ending.status,
    ending.vendor,
    ending.vendorModel,
    ending.vendorAnswer ?? null,
    wholeCount(inputTokens(usage)),
    wholeCount(outputTokens(usage)),
    wholeCount(cachedTokens(usage)),
    wholeCount(usage.reasoning),
    otherUnits(usage.units),
    usage.estimated,
    ending.cost,
    held,
    ending.unpaid === undefined ? null : JSON.stringify(ending.unpaid),
    ending.error,
    ending.latencyMs,
    ending.firstByteMs,
    ending.vendorCost?.amount ?? null,
    ending.vendorCost?.card ?? null,
    ending.vendorCost?.estimated ?? false,
  ] as const
}

/** JSON of the units when the token counts do not say it all. */
function otherUnits(units: Units): string | null {
  for (const meter in units)
    if (meter !== 'input' && meter !== 'output' && meter !== 'cached_input')
      return JSON.stringify(units)
  return null
}
