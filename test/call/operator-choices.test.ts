import { describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { anthropicReplies } from '../matrix/anthropic-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor, hubPrices } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, type Script, type StandIn } from '../support/stand-in'
import { testFolder } from '../storage/folder'

const post = async (
  { url, key }: TestGateway,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: fieldsOf(await answer.json()) }
}

/** A gateway before one vendor, for the time of a test. */
async function before(
  {
    kind,
    script,
    ...options
  }: {
    readonly kind: 'openai' | 'anthropic'
    readonly script: Script
    readonly env?: Record<string, string>
    readonly folder?: string
  },
  run: (chapar: TestGateway, vendor: StandIn) => Promise<void>,
): Promise<void> {
  const vendor = openStandIn(script)
  const prepare = addHubVendor({ kind, url: vendor.url, models: { model: {} } })
  const chapar = await openTestGateway({ ...options, prepare })
  try {
    await run(chapar, vendor)
  } finally {
    await chapar.close()
    await vendor.close()
  }
}

describe('an answer that the vendor keeps', () => {
  const keeps = { kind: 'openai', script: responds([message('Hello')]) } as const

  test('is gone on from after a restart, and by nobody else', async () => {
    using folder = testFolder()
    let id: unknown
    await before({ ...keeps, folder: folder.path }, async (chapar) => {
      id = (await post(chapar, '/responses', { model: 'model', input: 'Hello' })).body['id']
    })
    await before({ ...keeps, folder: folder.path }, async (chapar, vendor) => {
      // The account of this one is another.
      const on = { model: 'model', input: 'and?', previous_response_id: id }
      expect((await post(chapar, '/responses', on)).status).toBe(404)
      expect(vendor.seen).toHaveLength(0)
      const { project } =
        (await chapar.storage.reports.call(String(id).replace('resp_', 'req_'), null)) ?? {}
      const { earlierAnswer } = chapar.gateway.parts
      expect(await earlierAnswer(String(id))).toMatchObject({ project, name: 'resp_vendor' })
    })
  })

  test('is none where the operator has them keep nothing', async () => {
    const env = { CHAPAR_VENDOR_STORE: 'off' }
    await before({ ...keeps, env }, async (chapar, vendor) => {
      const { body } = await post(chapar, '/responses', {
        model: 'model',
        input: 'Hi',
        store: true,
      })
      expect(vendor.seen.at(-1)?.body).toMatchObject({ store: false })
      const on = { model: 'model', input: 'and?', previous_response_id: body['id'] }
      // This stand-in says that it kept the answer: it is not asked for it.
      const { status, body: refused } = await post(chapar, '/responses', on)
      expect([status, fieldsOf(refused['error'])['code']]).toEqual([404, 'request_not_found'])
    })
  })
})

describe('a prompt in the cache of a vendor', () => {
  const whole = anthropicReplies.whole({
    name: 'a reply',
    question: { text: '' },
    says: { text: 'Hello', reasoning: '', calls: [], finish: 'stop' },
  })
  const answers = { kind: 'anthropic', script: () => Response.json(whole) } as const
  const long = 'A long instruction. '.repeat(1000)
  const chat = (system: string) => ({
    model: 'model',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ],
  })
  const marked = (blocks: unknown): readonly boolean[] =>
    listOf(blocks).map((block) => fieldsOf(block)['cache_control'] !== undefined)
  const marksIn = (request: Fields | undefined) => ({
    system: marked(request?.['system']),
    messages: listOf(request?.['messages']).map((each) => marked(fieldsOf(each)['content'])),
  })
  const heldFor = async (chapar: TestGateway, path: string, body: object) => {
    const told = await post(chapar, path, body, { 'x-dry-run': '1' })
    return fieldsOf(fieldsOf(fieldsOf(told.body['estimate'])['high'])['units'])
  }

  test('is asked for where the operator wants it and the prompt is large', async () => {
    await before({ ...answers, env: { CHAPAR_PROMPT_CACHE: 'on' } }, async (chapar, vendor) => {
      await post(chapar, '/chat/completions', chat(long))
      expect(marksIn(vendor.seen.at(-1)?.body)).toEqual({
        system: [true],
        messages: [[false], [false], [true]],
      })
      await post(chapar, '/chat/completions', chat('Be brief.'))
      expect(marksIn(vendor.seen.at(-1)?.body).system).toEqual([false])
    })
    await before(answers, async (chapar, vendor) => {
      await post(chapar, '/chat/completions', chat(long))
      expect(marksIn(vendor.seen.at(-1)?.body).system).toEqual([false])
    })
  })

  test('is set aside for at what the write costs', async () => {
    const body = { max_tokens: 10, ...chat('Be brief.') }
    await before({ ...answers, env: { CHAPAR_PROMPT_CACHE: 'on' } }, async (chapar) => {
      const units = await heldFor(chapar, '/chat/completions', body)
      expect(Object.keys(units).toSorted()).toEqual(['cache_write_5m', 'output'])
    })
    await before(answers, async (chapar) => {
      const asking = (content: object) => ({
        model: 'model',
        max_tokens: 10,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...content }] }],
      })
      const meters = async (content: object) =>
        Object.keys(await heldFor(chapar, '/messages', asking(content)))
      expect(await meters({})).toContain('input')
      const short = { cache_control: { type: 'ephemeral' } }
      expect(await meters(short)).toContain('cache_write_5m')
      const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
      expect(await meters(hour)).toContain('cache_write_1h')
      expect(await meters(hour)).not.toContain('input')
    })
    expect(Number(hubPrices.cache_write_1h)).toBe(2 * Number(hubPrices.input))
  })
})
