import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { Decimal } from 'decimal.js'
import { refundCall } from '../../src/business/accounts/refund-call'
import { systemClock } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { ask, commandSeen, openTestGateway, type TestGateway } from '../support/gateway'
import type { ModelEntry } from '../../src/domain/model'
import { sandboxModels } from '../../src/gateway/vendors/sandbox/models'
import { temporaryFolder } from '../support/executable'
import { failure, hang, openStandIn, replies, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

interface Status {
  readonly status: string
  readonly usd: string
  readonly receipt: {
    readonly lines: readonly { readonly amount_usd: string }[]
    readonly charged_usd: string
  }
}

function temporaryData() {
  const path = temporaryFolder()
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function sandboxEntry(id: string): ModelEntry {
  const found = sandboxModels.find((each) => each.id === id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}

const status = async (id: string, key = chapar.key) => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${chapar.url}/requests/${id}`, { headers })
  return { code: response.status, body: (await response.json()) as Status & { error: unknown } }
}
const idOf = (response: Response): string => response.headers.get('x-request-id') ?? ''

describe('GET /requests/{id}', () => {
  test('tells of a call the moment it was answered, with a receipt that adds up', async () => {
    vendor.play(replies())
    const answer = await chapar.post(ask('priced'))
    const id = idOf(answer)
    expect(((await answer.json()) as { id: string }).id).toBe(id)
    const { code, body } = await status(id)
    expect(code).toBe(200)
    expect(body).toMatchObject({
      id,
      object: 'request',
      model: 'priced',
      endpoint: 'chat',
      status: 'success',
      streamed: false,
      usage: { input_tokens: 100, output_tokens: 50, cached_tokens: 0, total_tokens: 150 },
      usd: '0.000450',
      error: null,
      receipt: {
        card_version: '1',
        lines: [
          { meter: 'input', units: 100, unit_price_usd: '0.0000015', amount_usd: '0.00015' },
          { meter: 'output', units: 50, unit_price_usd: '0.000006', amount_usd: '0.0003' },
        ],
        charged_usd: '0.000450',
      },
    })
    const sum = body.receipt.lines.reduce((all, line) => all.plus(line.amount_usd), new Decimal(0))
    expect(sum.toFixed(6)).toBe(body.usd)
  })

  test('explains a charge by prices that the program no longer has', async () => {
    using folder = temporaryData()
    const first = await openTestGateway({ folder: folder.path })
    const answer = await first.post(ask('sandbox/echo-priced'))
    const [id, { key }] = [idOf(answer), first]
    await answer.text()
    await first.close()
    // As a later release would have it: the same model, under a card of its own.
    const later = await openTestGateway({
      folder: folder.path,
      prepare: async ({ catalogue }) => {
        const { created: _, card, ...entry } = sandboxEntry('sandbox/echo-priced')
        expect(card?.version).toBe('sandbox-1')
        await catalogue.saveModel(entry, [
          { meter: 'input', unit: 'million', price: '500' },
          { meter: 'output', unit: 'million', price: '500' },
        ])
      },
    })
    try {
      const response = await fetch(`${later.url}/requests/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { receipt, usd } = (await response.json()) as Status
      expect(receipt.lines).toHaveLength(2)
      const sum = receipt.lines.reduce((all, line) => all.plus(line.amount_usd), new Decimal(0))
      expect(sum.toFixed(6, Decimal.ROUND_UP)).toBe(usd)
    } finally {
      await later.close()
    }
  })

  test('tells what a refund beside the gateway left of the cost, as the usage does', async () => {
    using folder = temporaryData()
    const served = await openTestGateway({
      folder: folder.path,
      vendorUrl: vendor.url,
      key: { spendLimit: parseUsd('0.001') },
    })
    const beside = openStorage({ folder: folder.path, exclusive: false, clock: systemClock })
    const read = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${served.key}` }
      return await (await fetch(`${served.url}${path}`, { headers })).json()
    }
    try {
      vendor.play(replies())
      const id = idOf(await served.post(ask('priced', { max_tokens: 60 })))
      // This writes what the gateway knows.
      expect(await read(`/requests/${id}`)).toMatchObject({ usd: '0.000450' })
      expect(await read('/me')).toMatchObject({ key: { spent_usd: '0.000450' } })
      const request = { id, amount: parseUsd('0.0004'), note: null, by: 'test' }
      await refundCall(beside, request)
      await commandSeen()
      expect(await read(`/requests/${id}`)).toMatchObject({
        status: 'success',
        usd: '0.000050',
        refunded_usd: '0.000400',
        receipt: { charged_usd: '0.000450', refunded_usd: '0.000400' },
      })
      expect(await read('/usage')).toMatchObject({ total_usd: '0.000050' })
      expect(await read('/me')).toMatchObject({ key: { spent_usd: '0.000050' } })
      expect((await served.audit()).differences).toEqual([])
    } finally {
      await beside.close()
      await served.close()
    }
  })

  test('says pending while the call runs', async () => {
    vendor.play(hang)
    const before = vendor.seen.length
    const leaving = new AbortController()
    const { ledger } = chapar.gateway.parts
    const opened: string[] = []
    const hold = spyOn(ledger, 'hold').mockImplementation((asked) => {
      opened.push(asked.opening.id)
      hold.mockRestore()
      return ledger.hold(asked)
    })
    const running = chapar.post(ask('priced'), {}, leaving.signal).catch(() => null)
    while (vendor.seen.length === before) await Bun.sleep(2)
    const id = opened.at(-1) ?? ''
    expect((await status(id)).body).toMatchObject({
      status: 'pending',
      usd: '0.000000',
      receipt: null,
    })
    leaving.abort()
    await running
    await chapar.rest()
    expect((await status(id)).body).toMatchObject({ status: 'cancelled', usd: '0.000000' })
  })

  test('tells the error of a call that failed, which cost nothing', async () => {
    vendor.play(failure(500, { message: 'no' }))
    const { body } = await status(idOf(await chapar.post(ask('priced'))))
    expect(body).toMatchObject({
      status: 'error',
      usd: '0.000000',
      error: { type: 'upstream_error', code: 'upstream_error' },
      receipt: { lines: [], charged_usd: '0.000000' },
    })
  })

  test.each(['req_nobody', 'req_%00', encodeURIComponent('سلام')])(
    'finds no call called %j',
    async (id) => {
      expect(await status(id)).toMatchObject({
        code: 404,
        body: { error: { code: 'request_not_found', param: 'id' } },
      })
    },
  )

  test('does not tell one project of another’s calls', async () => {
    vendor.play(replies())
    const id = idOf(await chapar.post(ask('priced')))
    const { key } = await chapar.customer()
    expect((await status(id, key)).code).toBe(404)
    expect((await status(id)).code).toBe(200)
  })
})
