import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Traits } from '../../src/domain/model'
import { price } from '../../src/gateway/metering/price'
import { compileCard } from '../../src/gateway/metering/price-card'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor, hubPrices } from '../support/hub-vendor'
import { readUntil } from '../support/sse'
import { openStandIn, streamReply, type StandIn, type StreamOptions } from '../support/stand-in'
import {
  scenarios,
  type Question,
  type Said,
  type Scenario,
  type Seen,
  type Told,
} from './scenarios'
import { vendorKinds, vendorReplies, type VendorKind } from './vendor-replies'
import { sampleOf } from '../support/campaigns'

/** A format of clients, as the matrix needs it. */
export interface MatrixClient {
  readonly name: string
  /** Below the version. */
  readonly path: string
  /** What the vendor of the reference format must not speak, so that all is translated. */
  readonly dialect?: 'generic'
  /** Whether the format can ask this at all. */
  canAsk?(question: Question): boolean
  /** The body of a request. @param model as it is on sale */
  ask(model: string, question: Question, stream: boolean): object
  readWhole(body: unknown): Answered
  /** Holds every event to the form that the format demands. @throws when one is out of order */
  readStream(text: string): Streamed
  /** What `error` of a refusal looks like. */
  codeOf(body: unknown): string | null
}

export interface Answered extends Said {
  /** What the client is told; null when it is told nothing. */
  readonly told: Told | null
}

export interface Streamed extends Answered {
  /** The code of the error that it ended with. */
  readonly error: string | null
  readonly costUsd: string | null
}

const models: Readonly<Record<VendorKind, string>> = {
  openai: 'gpt',
  responses: 'codex',
  anthropic: 'claude',
  google: 'gemini',
}

const traits: Readonly<Record<VendorKind, Traits>> = {
  openai: {},
  responses: { chat: 'responses' },
  anthropic: { thinking: 'adaptive' },
  google: { thinking: 'level' },
}

const rates = compileCard({
  version: '1',
  validFrom: 0 as never,
  lines: Object.entries(hubPrices).map(([meter, each]) => ({
    meter: meter as keyof typeof hubPrices,
    unit: 'million' as const,
    price: each,
  })),
})

interface World {
  readonly vendor: StandIn
  readonly chapar: TestGateway
}

/** Every scenario at every kind of vendor, streamed and whole, broken and cut. */
export function runMatrix(client: MatrixClient): void {
  describe.each(vendorKinds)(`${client.name} at a vendor of the kind %s`, (kind) => {
    const replies = vendorReplies[kind]
    let world: World
    beforeAll(async () => {
      const vendor = openStandIn()
      const url = kind === 'google' ? vendor.url.replace('/v1', '/v1beta') : vendor.url
      const prepare = addHubVendor({
        kind: kind === 'responses' ? 'openai' : kind,
        url,
        ...(kind === 'openai' && client.dialect !== undefined ? { dialect: client.dialect } : {}),
        models: { [models[kind]]: { reasoning: true, structured: 'schema', ...traits[kind] } },
      })
      world = { vendor, chapar: await openTestGateway({ prepare }) }
    })
    afterAll(async () => {
      await world.chapar.close()
      await world.vendor.close()
    })

    const send = (
      question: Question,
      stream: boolean,
      signal?: AbortSignal,
      headers: Record<string, string> = {},
    ): Promise<Response> =>
      fetch(`${world.chapar.url}${client.path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.chapar.key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(client.ask(models[kind], question, stream)),
        ...(signal === undefined ? {} : { signal }),
      })
    const plays = (scenario: Scenario, options: StreamOptions = {}) =>
      world.vendor.play((seen) =>
        replies.streams(seen)
          ? streamReply(replies.events(scenario), options)
          : Response.json(replies.whole(scenario)),
      )
    const paid = async (work: () => Promise<unknown>): Promise<number> => {
      const before = Number((await world.chapar.rest()).balance)
      await work()
      const { held, slots, balance } = await world.chapar.rest()
      expect({ held, slots }).toEqual({ held: 0, slots: 0 })
      expect(await world.chapar.audit()).toMatchObject({ differences: [], pending: 0 })
      return before - Number(balance)
    }
    const seenLast = () => {
      const seen = world.vendor.seen.at(-1)
      if (seen === undefined) throw new Error('the vendor was not asked')
      return seen
    }
    const cost = price(unitsOf(replies.told, kind), rates)

    const seenRight = ({ question }: Scenario) => {
      const seen = replies.sees(world.vendor.seen.at(-1)?.body ?? {})
      expect(seen).toEqual({
        image: question.image !== undefined,
        tools: question.tools ?? [],
        schema: question.schema !== undefined,
        ceiling: question.maxTokens ?? seen.ceiling,
      } satisfies Seen)
    }

    const asked = scenarios.filter(({ question }) => client.canAsk?.(question) ?? true)
    describe.each(asked.map((each) => [each.name, each] as const))('%s', (_, scenario) => {
      const expected = { ...scenario.says, told: replies.told }

      test('whole', async () => {
        plays(scenario)
        const spent = await paid(async () => {
          const response = await send(scenario.question, false)
          expect(response.status).toBe(200)
          expect(Number(response.headers.get('x-cost-usd')) * 1e9).toBeCloseTo(cost, 0)
          expect(client.readWhole(await response.json())).toEqual(expected)
        })
        expect(spent).toBe(cost)
        seenRight(scenario)
      })

      test('whole, put together from a stream where the money is short', async () => {
        const dry = await send(scenario.question, false, undefined, { 'x-dry-run': '1' })
        const { hold_usd: held } = (await dry.json()) as { hold_usd: string }
        plays(scenario)
        const asked = async (usd: string) => {
          const { account, key } = await world.chapar.customer({ usd })
          const own = { authorization: `Bearer ${key}` }
          return { usd, account, response: await send(scenario.question, false, undefined, own) }
        }
        const least = (times: number) => asked((Number(held) * times + cost / 1e9).toFixed(9))
        let poor = await least(1)
        // Whoever has little has his prompt counted by a vocabulary, which may come to a little more.
        if (poor.response.status === 402) poor = await least(1.05)
        const { usd, account, response } = poor
        expect(response.status).toBe(200)
        expect(response.headers.get('x-stopped-by')).toBeNull()
        expect(Number(response.headers.get('x-cost-usd')) * 1e9).toBeCloseTo(cost, 0)
        expect(client.readWhole(await response.json())).toEqual(expected)
        expect(replies.streams(seenLast())).toBe(true)
        await world.chapar.rest()
        const left = (await world.chapar.storage.directory.findAccount(account))?.balance ?? -1
        expect(Number(usd) * 1e9 - left).toBeCloseTo(cost, 0)
      })

      test.each([
        ['event by event', {}],
        ['byte by byte', { bytesAtATime: 1 }],
        ['in pieces of 7 bytes', { bytesAtATime: 7 }],
      ])('streamed %s', async (_how, options) => {
        plays(scenario, options)
        const spent = await paid(async () => {
          const response = await send(scenario.question, true)
          expect(response.status).toBe(200)
          const { costUsd, ...streamed } = client.readStream(await response.text())
          expect(streamed).toEqual({ ...expected, error: null })
          expect(Number(costUsd) * 1e9).toBeCloseTo(cost, 0)
        })
        expect(spent).toBe(cost)
        seenRight(scenario)
      })

      test('streamed by us, where the vendor answers whole all the same', async () => {
        world.vendor.play(() => Response.json(replies.whole(scenario)))
        const spent = await paid(async () => {
          const response = await send(scenario.question, true)
          expect(response.status).toBe(200)
          const { costUsd, ...streamed } = client.readStream(await response.text())
          expect(streamed).toEqual({ ...expected, error: null })
          expect(Number(costUsd) * 1e9).toBeCloseTo(cost, 0)
        })
        expect(spent).toBe(cost)
      })

      test('cut at every event, or broken by an error there', async () => {
        const events = replies.events(scenario)
        for (const after of sampleOf(events.keys(), scenario.name.includes('long') ? 7 : 3))
          for (const how of ['cut', 'error'] as const) {
            world.vendor.play(() =>
              how === 'cut'
                ? streamReply(events, { cutAfter: after })
                : streamReply([...events.slice(0, after), replies.errorEvent]),
            )
            let charged = 0
            const spent = await paid(async () => {
              const response = await send(scenario.question, true)
              const text = await response.text()
              expect(text).not.toContain('sk-secret')
              if (response.status !== 200) {
                expect([429, 502]).toContain(response.status)
                expect(client.codeOf(JSON.parse(text))).toMatch(/^upstream_/)
                return
              }
              const streamed = client.readStream(text)
              charged = Math.round(Number(streamed.costUsd) * 1e9)
              // What came after the vendor's own end changes nothing.
              if (streamed.error === null) expect(streamed).toMatchObject(scenario.says)
              else {
                expect(streamed.error).toBe(how === 'cut' ? 'stream_interrupted' : replies.brokenBy)
                expect(scenario.says.text).toStartWith(streamed.text)
                expect(scenario.says.reasoning).toStartWith(streamed.reasoning)
              }
            })
            expect(spent).toBe(charged)
            expect(spent).toBeLessThanOrEqual(cost + price({ input: 2000, output: 2000 }, rates))
          }
      })
    })

    test('a failure before the answer is told with its code, and costs nothing', async () => {
      world.vendor.play(replies.failing)
      for (const stream of [false, true]) {
        const spent = await paid(async () => {
          const response = await send({ text: 'Hello' }, stream)
          expect(response.status).toBe(429)
          expect(client.codeOf(await response.json())).toBe('upstream_capacity_full')
        })
        expect(spent).toBe(0)
      }
    })

    test('a whole answer ends where the money ends, and says so', async () => {
      const [scenario] = scenarios
      if (scenario === undefined) throw new Error('no scenario')
      const text = `${'牛'.repeat(200)} `.repeat(200)
      const long = { ...scenario, says: { ...scenario.says, text } }
      // Its vendor goes on beyond the ceiling, which is what there is money for.
      const question = { text: 'Tell a long story', maxTokens: 20_000 }
      const dry = await send(question, false, undefined, { 'x-dry-run': '1' })
      const { hold_usd: usd } = (await dry.json()) as { hold_usd: string }
      const { account, key } = await world.chapar.customer({ usd })
      plays(long)
      const authorization = `Bearer ${key}`
      const response = await send(question, false, undefined, { authorization })
      expect(response.status).toBe(200)
      expect(response.headers.get('x-stopped-by')).toBe('insufficient_credit')
      const answer = client.readWhole(await response.json())
      expect(answer.finish).toBe('length')
      expect(answer.text?.length).toBeGreaterThan(10_000)
      expect(text.startsWith(answer.text ?? '?')).toBe(true)
      await world.chapar.rest()
      const left = (await world.chapar.storage.directory.findAccount(account))?.balance ?? -1
      expect(left).toBeGreaterThanOrEqual(0)
      // All but one step of 1,024 tokens, and a few events, could be used.
      expect(left).toBeLessThan(price({ output: 1024 + 2000 }, rates))
      expect(Number(response.headers.get('x-cost-usd')) * 1e9 + left).toBeCloseTo(Number(usd) * 1e9)
    })

    test('a client that leaves takes its vendor along, and pays what it got', async () => {
      const [scenario] = scenarios
      if (scenario === undefined) throw new Error('no scenario')
      const events = replies.events({
        ...scenario,
        says: { ...scenario.says, text: 'word '.repeat(400) },
      })
      for (const stream of [true, false]) {
        let asked = world.vendor.seen.length
        world.vendor.play(() =>
          stream ? streamReply(events, { delayMs: 2 }) : new Promise<Response>(() => {}),
        )
        const leave = new AbortController()
        const spent = await paid(async () => {
          const response = send(scenario.question, stream, leave.signal)
          if (stream) await readUntil(await response, 'word')
          else while (world.vendor.seen.length === asked) await Bun.sleep(1)
          leave.abort()
          await response.then((each) => each.text()).catch(() => {})
          asked = world.vendor.seen.length - 1
        })
        for (let tries = 0; tries < 200 && world.vendor.seen[asked]?.abortedAt === null; tries++)
          await Bun.sleep(5)
        expect(world.vendor.seen[asked]?.abortedAt).not.toBeNull()
        if (stream) expect(spent).toBeGreaterThan(0)
        else expect(spent).toBe(0)
      }
    })
  })
}

function unitsOf({ input, cached, written, output }: Told, kind: VendorKind) {
  // One vendor tells for how long it wrote to its cache.
  const long = kind === 'anthropic' ? written / 3 : 0
  const writes = { cache_write_5m: written - long, cache_write_1h: long }
  return { input: input - cached - written, cached_input: cached, output, ...writes }
}
