import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RequestId } from '../../src/domain/ids'
import { showUsd } from '../../src/domain/money'
import { addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  failure,
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type Script,
  type StandIn,
} from '../support/stand-in'

/** Nano-dollars for a token in, and one out. */
const rates = { one: [900, 3100], two: [1700, 8300], three: [400, 12_700] } as const
type Model = keyof typeof rates
const models: readonly Model[] = ['one', 'two', 'three']

const fates = ['answers', 'fails', 'full', 'too long', 'breaks', 'refuses'] as const
type Fate = (typeof fates)[number]
/** After these another model is asked. */
const goesOn: ReadonlySet<Fate> = new Set<Fate>(['fails', 'full', 'too long', 'breaks'])

const vendors = {} as Record<Model, StandIn>
let chapar: TestGateway
beforeAll(async () => {
  for (const model of models) vendors[model] = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const model of models) {
        await addVendor(storage, model, vendors[model].url)
        const [input, output] = rates[model].map((nanos) => String(nanos / 1000)) as [
          string,
          string,
        ]
        await storage.catalogue.saveModel(
          {
            id: model,
            type: 'chat',
            name: model,
            ownedBy: 'acme',
            description: null,
            contextLength: 1_000_000,
            maxOutputTokens: 2000,
            capabilities: { streaming: true },
            traits: {},
            isFree: false,
            status: 'active',
            routes: [{ vendor: model, vendorModel: 'm', priority: 0, weight: 1 }],
          },
          [
            { meter: 'input', unit: 'million', price: input },
            { meter: 'output', unit: 'million', price: output },
          ],
        )
      }
    },
  })
})
afterAll(async () => {
  await chapar.close()
  for (const model of models) await vendors[model].close()
})

const script = (fate: Fate, told: object): Script => {
  if (fate === 'fails') return failure(500, { message: 'no' })
  if (fate === 'full') return failure(529, { message: 'overloaded' })
  if (fate === 'refuses') return failure(400, { message: 'temperature must be 1' })
  if (fate === 'too long') return failure(400, { code: 'context_length_exceeded', message: 'long' })
  if (fate === 'breaks')
    return () => new Response('{"id":', { headers: { 'content-type': 'application/json' } })
  return ({ body }) =>
    body['stream'] === true ? streamReply(openaiStream('Hello', told)) : wholeReply('Hello', told)
}

const calls = fc.record({
  order: fc.shuffledSubarray([...models], { minLength: 2 }),
  fates: fc.record({
    one: fc.constantFrom(...fates),
    two: fc.constantFrom(...fates),
    three: fc.constantFrom(...fates),
  }),
  stream: fc.boolean(),
  input: fc.integer({ min: 1, max: 20 }),
  output: fc.integer({ min: 1, max: 100 }),
  /** Millionths of a dollar that the account has. */
  money: fc.integer({ min: 0, max: 3000 }),
})

test('whichever model answers is charged at its price exactly, and no balance falls below zero', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(calls, async ({ order, fates: fate, stream, input, output, money }) => {
      const told = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      for (const model of models) vendors[model].play(script(fate[model], told))
      // Vendors that failed in an earlier call are asked in their turn all the same.
      const { routeOrder } = chapar.gateway.parts
      for (const vendor of models)
        routeOrder.succeeded({ vendor, vendorModel: 'm', priority: 0, weight: 1 })
      const [first = 'one', ...rest] = order
      const asked = Object.fromEntries(models.map((model) => [model, vendors[model].seen.length]))
      const customer = await chapar.customer({ usd: showUsd((money * 1000) as never) })
      const body = ask(first, { models: rest, stream, max_tokens: 100 })
      const answer = await chapar.post(body, { authorization: `Bearer ${customer.key}` })
      const text = await answer.text()
      await chapar.rest()
      const wasRequested = models.filter(
        (model) => vendors[model].seen.length > (asked[model] ?? 0),
      )
      const balance = (await chapar.storage.directory.findAccount(customer.account))?.balance ?? -1
      expect(balance).toBeGreaterThanOrEqual(0)
      const spent = money * 1000 - balance
      if (answer.status === 402) {
        expect([wasRequested, spent]).toEqual([[], 0])
        seen.add('no money')
        return
      }
      const id = answer.headers.get('x-request-id') as RequestId
      const record = await chapar.storage.reports.call(id, null)
      expect(record?.cost).toBe(spent as never)
      // Those that there was no money for are left out: the others are asked in their order.
      const turns = order.filter((model) => wasRequested.includes(model))
      for (const model of turns.slice(0, -1)) expect(goesOn.has(fate[model])).toBe(true)
      const last = turns.at(-1) ?? first
      if (answer.status !== 200) {
        expect([spent, record?.model]).toEqual([0, first])
        expect(fate[last]).not.toBe('answers')
        seen.add(fate[last])
        return
      }
      const [perInput, perOutput] = rates[last]
      expect(fate[last]).toBe('answers')
      expect(answer.headers.get('x-model')).toBe(last)
      expect(text).toContain(`"model":"${last}"`)
      expect([record?.model, record?.vendor, spent]).toEqual([
        last,
        last,
        input * perInput + output * perOutput,
      ])
      seen.add(last === first ? 'first' : 'fallback')
    }),
    { numRuns: 150 },
  )
  expect(await chapar.audit()).toMatchObject({ ok: true, differences: [] })
  for (const each of ['first', 'fallback', 'no money', 'refuses']) expect(seen).toContain(each)
})
