import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import type { Database } from 'bun:sqlite'
import fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import type { CallOpening } from '../../src/domain/record'
import { noUsage } from '../../src/domain/usage'
import { spoolLine } from '../../src/ledger/spool-record'
import { registerNode } from '../../src/ledger/postgres/nodes'
import { replaySpools } from '../../src/ledger/postgres/replay-spools'
import { takeOver } from '../../src/ledger/postgres/takeover'
import type { Storage } from '../../src/business/data/storage'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'
import { charge, customer, ending, noBatch, opening, testFolder } from './folder'
import { engineOn, newCaller, openTestDatabase, ttlMs } from './postgres/database'
import { roundsOf } from '../support/campaigns'

/*
 * Calls whose balance was lowered while they ran. Every way in which a charge is written is played against one
 * computation: calls pay one after the other, for as long as the balance lasts.
 */

const rounds = roundsOf('charges nobody covers')

interface Outcome {
  readonly balance: number
  /** Of each call, what the service bore. */
  readonly borne: readonly number[]
}

function expected(before: number, costs: readonly number[]): Outcome {
  let balance = before
  const borne = costs.map((cost) => {
    const paid = Math.min(cost, Math.max(0, balance))
    balance -= paid
    return cost - paid
  })
  return { balance, borne }
}

const round = fc.record({
  before: fc.integer({ min: -400, max: 1000 }),
  costs: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
})
type Round = typeof round extends fc.Arbitrary<infer Each> ? Each : never

/** @param play charges them, and tells what came of it */
const check = (play: (round: Round) => Promise<Outcome>) =>
  fc.assert(
    fc.asyncProperty(round, async (each) => {
      expect(await play(each)).toEqual(expected(each.before, each.costs))
    }),
    {
      numRuns: rounds,
      examples: [
        [{ before: 100, costs: [250, 250] }],
        [{ before: -50, costs: [250] }],
        [{ before: 1000, costs: [400, 400] }],
        [{ before: 0, costs: [1] }],
      ],
    },
  )

const owed = (cost: number) => ({
  usage: noUsage,
  cost: nanoUsd(cost),
  vendor: 'standin',
  vendorModel: 'voice',
})
const held = nanoUsd(400)

const ofShare = 'SELECT reference, amount FROM transfers WHERE kind = $kind AND credit = $account'

interface Folder {
  readonly storage: Storage
  readonly calls: readonly CallOpening[]
}

/** A folder with a lowered balance, in which calls are charged in some way. */
async function inFolder(
  { before, costs }: Round,
  chargeIn: (folder: Folder) => Promise<unknown>,
): Promise<Outcome> {
  using folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const { id: account } = caller.account
  await storage.directory.deposit({
    account,
    kind: 'adjustment',
    amount: nanoUsd(before - 1_000_000_000),
    reference: 'lowered',
  })
  const calls = costs.map(() => opening(caller, folder.clock.now()))
  await chargeIn({ storage, calls })
  expect((await storage.audit()).differences).toEqual([])
  return outcomeIn(folder.raw(), account, calls)
}

function outcomeIn(raw: Database, account: number, calls: readonly CallOpening[]): Outcome {
  const rows = raw
    .prepare<{ reference: string; amount: number }, { $kind: string; $account: number }>(ofShare)
    .all({ $kind: 'adjustment', $account: account })
  const row = raw.prepare('SELECT balance FROM accounts WHERE id = ?').get(account)
  return { balance: (row as { balance: number }).balance, borne: borneOf(rows, calls) }
}

const borneOf = (
  rows: readonly { readonly reference: string; readonly amount: number | bigint }[],
  calls: readonly CallOpening[],
): readonly number[] => {
  const byCall = new Map(rows.map(({ reference, amount }) => [reference, Number(amount)]))
  return calls.map(({ id }) => byCall.get(`uncovered-${id}`) ?? 0)
}

describe('a balance that was lowered while calls ran is not charged below zero', () => {
  test('by a commit', () =>
    check((each) =>
      inFolder(each, ({ storage, calls }) =>
        storage.ledger.commit(
          { ...noBatch, ended: calls.flatMap((call, at) => charge(call, costOf(each, at)).ended) },
          false,
        ),
      ),
    ))

  test('by what a spool says when a process begins again', () =>
    check((each) =>
      inFolder(each, async ({ storage, calls }) => {
        const records = calls.map((call, at) => ({
          opening: call,
          held,
          ending: ending(nanoUsd(costOf(each, at))),
        }))
        storage.endings?.append(spoolLine(records))
        await storage.ledger.recover()
      }),
    ))

  test('by what calls owed when their process died', () =>
    check((each) =>
      inFolder(each, async ({ storage, calls }) => {
        await storage.ledger.commit(
          {
            ...noBatch,
            opened: calls,
            owed: calls.map((call, at) => ({ opening: call, held, owed: owed(costOf(each, at)) })),
          },
          false,
        )
        await storage.ledger.recover()
      }),
    ))

  describeOn('npm', 'on PostgreSQL', () => {
    let server: PostgresServer
    let sql: SQL
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' })
      sql = await openTestDatabase(await server.newDatabase())
    })
    afterAll(async () => {
      await sql.end()
      await server.remove()
    })

    const node = () => registerNode(sql, { ttlMs, version: '0', address: 'here' })

    async function onPostgres(
      { before, costs }: Round,
      chargeIn: (calls: readonly CallOpening[], caller: Caller) => Promise<unknown>,
    ): Promise<Outcome> {
      const caller = await newCaller(sql, 1_000_000)
      const { id: account } = caller.account
      await sql.unsafe('UPDATE accounts SET balance = $2 WHERE id = $1', [account, before])
      const serviceBefore = await balanceOf(-3)
      const calls = costs.map(() => opening(caller, 1_764_000_000_000 as never))
      await chargeIn(calls, caller)
      const rows = (await sql.unsafe(
        `SELECT reference, amount FROM transfers WHERE kind = 'adjustment' AND credit = $1`,
        [account],
      )) as { reference: string; amount: bigint }[]
      const borne = borneOf(rows, calls)
      const sum = rows.reduce((all, { amount }) => all + Number(amount), 0)
      expect(serviceBefore - (await balanceOf(-3))).toBe(sum)
      expect(borne.reduce((all, each) => all + each, 0)).toBe(sum)
      return { balance: await balanceOf(account), borne }
    }
    const balanceOf = async (account: number): Promise<number> => {
      const rows: { balance: bigint }[] = await sql.unsafe(
        'SELECT balance FROM accounts WHERE id = $1',
        [account],
      )
      return Number(rows[0]?.balance)
    }

    const exchangeOf = async (calls: readonly CallOpening[], each: Round) => {
      const { id, started } = await node()
      const engine = engineOn(sql, { started })
      const charged = each.costs.reduce((sum, cost) => sum + cost, 0)
      const line = { give: 0, takes: false, need: 0, want: 0, ask: null, answer: 0, quiet: true }
      const [first] = calls
      const scope = `balance ${first?.account ?? 0} `
      const answer = await engine({
        node: id,
        no: 1,
        durable: false,
        calls: {
          opened: [],
          ended: calls.flatMap((call, at) => charge(call, costOf(each, at)).ended),
        },
        lines: [{ scope, limit: 0, charged, held: 0, ...line }],
      })
      expect(answer.fresh).toBe(true)
    }

    test('by an exchange', () =>
      check((each) => onPostgres(each, (calls) => exchangeOf(calls, each))))

    test('by the spool of a node that is gone', () =>
      check((each) =>
        onPostgres(each, async (calls) => {
          const records = calls.map((call, at) => ({
            opening: call,
            held,
            ending: ending(nanoUsd(costOf(each, at))),
          }))
          await replaySpools(sql, [{ node: (await node()).id, records }], () => 0)
        }),
      ))

    test('by what its calls owed when it was taken over', () =>
      check((each) =>
        onPostgres(each, async (calls) => {
          const { id: gone, started } = await node()
          const { id: by } = await node()
          const engine = engineOn(sql, { started })
          await engine({
            node: gone,
            no: 1,
            durable: false,
            calls: {
              opened: calls,
              owed: calls.map((call, at) => ({
                opening: call,
                held,
                owed: owed(costOf(each, at)),
              })),
              ended: [],
            },
            lines: [],
          })
          await sql.unsafe('UPDATE nodes SET expires = 0 WHERE id = $1', [gone])
          await sql.unsafe('UPDATE nodes SET renewed = 0 WHERE id = $1', [by])
          expect((await takeOver(sql, by, ttlMs)).calls).toBe(calls.length)
        }),
      ))
  })
})

const costOf = ({ costs }: Round, at: number): number => costs[at] ?? zeroUsd
