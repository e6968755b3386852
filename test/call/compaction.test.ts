import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { responseEvents } from '../matrix/responses-client'
import { playScenario } from '../matrix/vendor-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { compactionItem, message, response, responds } from '../support/responses-stand-in'
import { openaiStream, openStandIn, streamReply, type StandIn } from '../support/stand-in'

/** Vendors that cannot compact, by their format; `native` can. */
const formats = ['openai', 'anthropic', 'google'] as const
type Format = (typeof formats)[number]

let vendors: Readonly<Record<Format, StandIn>>
let native: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendors = { openai: openStandIn(), anthropic: openStandIn(), google: openStandIn() }
  native = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const kind of formats)
        await addHubVendor({
          kind,
          name: kind === 'openai' ? 'plain' : kind,
          url: vendors[kind].url,
          dialect: 'generic',
          models: { [kind]: {} },
        })(storage)
      for (const name of ['native', 'another'])
        await addHubVendor({
          kind: 'openai',
          name,
          url: native.url,
          models: { [`of-${name}`]: {} },
        })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  for (const vendor of [...Object.values(vendors), native]) await vendor.close()
})

const summarises = (format: Format, text = 'They want a boat; it is half built.'): void =>
  playScenario(vendors[format], format, {
    name: 'a summary',
    question: { text: '' },
    says: { text, reasoning: '', calls: [], finish: 'stop' },
  })

const trigger = { type: 'compaction_trigger' }
const user = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})
/** A session of a coding client. */
const session = [
  user('Build a boat'),
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'wood floats' }] },
  { type: 'function_call', call_id: 'c1', name: 'saw', arguments: '{"wood":"oak"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'two planks' },
]
const tools = [{ type: 'function', name: 'saw', parameters: { type: 'object' } }]

const post = (path: string, body: object, key = chapar.key): Promise<Response> =>
  fetch(`${chapar.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const answered = async (path: string, body: object): Promise<Fields> => {
  const answer = await post(path, body)
  const told = fieldsOf(await answer.json())
  expect({ status: answer.status, error: told['error'] ?? null }).toEqual({
    status: 200,
    error: null,
  })
  return told
}
const refusal = async (answer: Response) => {
  const { code, param } = fieldsOf(fieldsOf(await answer.json())['error'])
  return { status: answer.status, code, param }
}
const outputOf = (told: Fields): readonly Fields[] => listOf(told['output']).map(fieldsOf)

/** An item of ours, made by a model. */
async function compacted(format: Format): Promise<Fields> {
  summarises(format)
  const [item, ...more] = outputOf(
    await answered('responses', { model: format, input: [...session, trigger] }),
  )
  if (item === undefined || more.length > 0) throw new Error('not one item')
  return item
}

const balance = () => chapar.rest().then((rest) => Number(rest.balance))

describe.each([...formats])('a conversation at a vendor of the format %s', (format) => {
  test('is summarised without tools, and nothing of it can be read', async () => {
    summarises(format)
    const before = await balance()
    const told = await answered('responses', {
      model: format,
      instructions: 'You build boats.',
      input: [...session, trigger],
      tools,
    })
    const [item] = outputOf(told)
    expect(told).toMatchObject({ object: 'response', status: 'completed', model: format })
    expect(item).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-f]+$/) as string,
      type: 'compaction',
      encrypted_content: expect.stringMatching(/^sealed\.v1\.[\w+/=]{80,}$/) as string,
    })
    expect(JSON.stringify(told)).not.toContain('half built')
    const sent = JSON.stringify(vendors[format].seen.at(-1)?.body)
    expect(sent).not.toContain('"tools"')
    for (const said of ['You build boats', 'Build a boat', 'oak', 'two planks', 'summary'])
      expect(sent).toContain(said)
    expect(await balance()).toBeLessThan(before)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('goes on from its summary with any model, streamed or not', async () => {
    const item = await compacted(format)
    for (const other of formats)
      for (const stream of [false, true]) {
        summarises(other, 'Here is the mast.')
        const input = [user('Build a boat'), item, user('and the mast?')]
        const answer = await post('responses', { model: other, input, stream })
        expect(answer.status).toBe(200)
        expect(await answer.text()).toContain('Here is the mast.')
        const sent = JSON.stringify(vendors[other].seen.at(-1)?.body)
        expect(sent).toContain('They want a boat; it is half built.')
        expect(sent.indexOf('half built')).toBeLessThan(sent.indexOf('and the mast?'))
      }
    native.play(responds([message('Here is the mast.')]))
    await answered('responses', { model: 'of-native', input: [item, user('and the mast?')] })
    const sent = JSON.stringify(native.seen.at(-1)?.body)
    expect(sent).toContain('They want a boat; it is half built.')
    expect(sent).not.toContain('"compaction"')
  })

  test('is streamed as exactly one item, which tells only that it grows', async () => {
    summarises(format)
    const input = [...session, trigger]
    const answer = await post('responses', { model: format, input, tools, stream: true })
    const events = responseEvents(await answer.text())
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type !== 'response.compaction.compacting')).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    expect(types).toContain('response.compaction.compacting')
    const done = events.find(({ type }) => type === 'response.output_item.done')
    const last = fieldsOf(events.at(-1)?.['response'])
    expect(outputOf(last)).toEqual([fieldsOf(done?.['item'])])
    expect(fieldsOf(last['usage'])['total_tokens']).toBeGreaterThan(100)
    expect(JSON.stringify(events)).not.toContain('half built')
  })

  test('is compacted by the endpoint for it, as the official client asks', async () => {
    summarises(format)
    const client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
    const earlier = await compacted(format)
    const told = await client.responses.compact({
      model: format,
      instructions: 'You build boats.',
      input: [user('Build a boat'), earlier, user('faster')] as never,
    })
    expect(told.object).toBe('response.compaction')
    expect(told.usage.total_tokens).toBeGreaterThan(100)
    expect(told.output.map(({ type }) => type) as string[]).toEqual([
      'message',
      'message',
      'compaction',
    ])
    expect(JSON.stringify(told.output)).toContain('faster')
    expect(JSON.stringify(told.output)).not.toContain('half built')
    const answer = await client.responses.create({
      model: format,
      input: [...told.output, user('now?')] as never,
    })
    expect(answer.output_text).toContain('half built')
    summarises(format)
    const input = [...session, trigger] as never
    const streamed = await client.responses.stream({ model: format, input }).finalResponse()
    expect(streamed.output.map(({ type }) => type)).toEqual(['compaction'])
    const headers = { authorization: `Bearer ${chapar.key}` }
    const record = await fetch(`${chapar.url}/requests/${told.id}`, { headers })
    expect(await record.json()).toMatchObject({ endpoint: 'compact', status: 'success' })
  })

  test('is not lost to an empty summary: nothing is charged', async () => {
    summarises(format, ' ')
    const before = await balance()
    const input = [...session, trigger]
    const whole = await post('responses', { model: format, input })
    expect(await refusal(whole)).toMatchObject({ status: 502, code: 'upstream_error' })
    const compact = await post('responses/compact', { model: format, input: session })
    expect(compact.status).toBe(502)
    const streamed = await post('responses', { model: format, input, stream: true })
    expect(await streamed.text()).not.toContain('encrypted_content":"sealed')
    expect(await balance()).toBe(before)
  })
})

describe('an item of ours', () => {
  const asked = async (item: object, key = chapar.key) => {
    const seen = vendors.openai.seen.length
    const before = await balance()
    const input = [user('x'), item]
    const told = []
    for (const path of ['responses', 'responses/compact'])
      told.push(await refusal(await post(path, { model: 'openai', input }, key)))
    expect(vendors.openai.seen.length).toBe(seen)
    expect(await balance()).toBe(before)
    expect(told[0]).toEqual(told[1])
    return told[0]
  }
  const refused = {
    status: 400,
    code: 'invalid_message',
    param: 'input[1].encrypted_content',
  }

  test('is refused when it was changed, forged or cut, before anything is held', async () => {
    const item = await compacted('openai')
    const sealed = String(item['encrypted_content'])
    const last = sealed.at(-5) === 'A' ? 'B' : 'A'
    for (const broken of [
      `${sealed.slice(0, -5)}${last}${sealed.slice(-4)}`,
      sealed.slice(0, -8),
      'sealed.v1.',
      'sealed.v1.AAAA',
      `sealed.v1.${'A'.repeat(200)}`,
      7,
    ])
      expect(await asked({ ...item, encrypted_content: broken })).toEqual(refused)
  })

  test('is refused with a key of another project', async () => {
    const item = await compacted('openai')
    expect(await asked(item, (await chapar.customer({ usd: '5' })).key)).toEqual(refused)
  })

  test('is refused where there are more of them than any conversation has', async () => {
    const item = await compacted('openai')
    const input = Array.from({ length: 101 }, () => item)
    const told = await refusal(await post('responses', { model: 'openai', input }))
    expect(told).toEqual({ status: 400, code: 'invalid_message', param: 'input[100]' })
  })
})

describe('a trigger', () => {
  test.each([
    [[trigger, user('x')], 'invalid_message', 'input[0].type'],
    [[trigger], 'missing_input', 'input'],
  ])('of %j is refused', async (input, code, param) => {
    const told = await refusal(await post('responses', { model: 'openai', input }))
    expect(told).toEqual({ status: 400, code, param })
  })

  test('whose client leaves before the item is whole costs nothing', async () => {
    const events = openaiStream('They want a boat')
    vendors.openai.play(() => streamReply(events, { hangAfter: 3 }))
    const before = await balance()
    const leaving = new AbortController()
    const answer = await fetch(`${chapar.url}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify({ model: 'openai', input: [...session, trigger], stream: true }),
      signal: leaving.signal,
    })
    await answer.body?.getReader().read()
    leaving.abort()
    expect(await balance()).toBe(before)
  })

  test('whose vendor breaks off before the item is whole costs nothing, and says so', async () => {
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
    const begun = openaiStream('They want a boat').slice(0, 3).join('')
    const source = {
      start: (controller: ReadableStreamDefaultController) => controller.enqueue(begun),
      pull: (controller: ReadableStreamDefaultController) =>
        heard.then(() => controller.error('cut')),
    }
    const headers = { 'content-type': 'text/event-stream' }
    vendors.openai.play(() => new Response(new ReadableStream(source), { headers }))
    const before = await balance()
    const input = [...session, trigger]
    const answer = await post('responses', { model: 'openai', input, stream: true })
    hear()
    const events = responseEvents(await answer.text())
    expect(events.at(-1)?.type).toBe('response.failed')
    expect(fieldsOf(events.at(-1)?.['response'])).toMatchObject({
      output: [],
      error: { code: 'stream_interrupted' },
    })
    expect(await balance()).toBe(before)
  })

  test('in a dry run is estimated, and nothing is asked', async () => {
    const seen = vendors.anthropic.seen.length
    const answer = await fetch(`${chapar.url}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}`, 'x-dry-run': '1' },
      body: JSON.stringify({ model: 'anthropic', input: [...session, trigger] }),
    })
    expect(await answer.json()).toMatchObject({ object: 'dry_run' })
    expect(vendors.anthropic.seen.length).toBe(seen)
  })
})

describe('at a vendor that compacts itself', () => {
  const compacts = () => native.play(responds([compactionItem('gAAAAvendor')]))
  const vendorItem = async (stream: boolean): Promise<Fields> => {
    compacts()
    const input = [...session, trigger]
    const answer = await post('responses', { model: 'of-native', input, tools, stream })
    const text = await answer.text()
    expect(text).not.toContain('gAAAAvendor')
    if (!stream) return fieldsOf(outputOf(fieldsOf(JSON.parse(text)))[0])
    const events = responseEvents(text)
    const done = fieldsOf(events.find(({ type }) => type === 'response.output_item.done')?.['item'])
    expect(outputOf(fieldsOf(events.at(-1)?.['response']))).toEqual([done])
    return done
  }

  test.each([false, true])(
    'the request passes, and its item comes back to it alone (streamed: %p)',
    async (stream) => {
      const item = await vendorItem(stream)
      expect(native.seen.at(-1)).toMatchObject({
        path: '/v1/responses',
        body: { tools, input: [...session, trigger] },
      })
      native.play(responds([message('Here is the mast.')]))
      const input = [item, user('and the mast?')]
      await answered('responses', { model: 'of-native', input })
      expect(native.seen.at(-1)?.body['input']).toEqual([
        { ...item, encrypted_content: 'gAAAAvendor' },
        user('and the mast?'),
      ])
      const seen = native.seen.length
      for (const model of ['of-another', 'openai', 'anthropic', 'google'])
        expect(await refusal(await post('responses', { model, input }))).toEqual({
          status: 400,
          code: 'endpoint_not_supported',
          param: 'input[0]',
        })
      const stranger = (await chapar.customer({ usd: '5' })).key
      const told = await refusal(await post('responses', { model: 'of-native', input }, stranger))
      expect(told).toMatchObject({ status: 400, param: 'input[0].encrypted_content' })
      expect(native.seen.length).toBe(seen)
    },
  )

  test('an item of a megabyte, and one told whole where a stream was asked for, come back as they were', async () => {
    const large = `gAAAA${'x'.repeat(1_500_000)}`
    for (const [sealed, stream] of [
      [large, false],
      ['gAAAAwhole', true],
    ] as const) {
      native.play(() => Response.json(response([compactionItem(sealed)])))
      const answer = await post('responses', {
        model: 'of-native',
        input: [...session, trigger],
        stream,
      })
      const text = await answer.text()
      const told: unknown = stream ? responseEvents(text).at(-1)?.['response'] : JSON.parse(text)
      const item = fieldsOf(outputOf(fieldsOf(told))[0])
      native.play(responds([message('Hello')]))
      await answered('responses', { model: 'of-native', input: [item, user('and?')] })
      const [back] = listOf(native.seen.at(-1)?.body['input']).map(fieldsOf)
      expect(back?.['encrypted_content'] === sealed).toBe(true)
    }
  })

  test('the endpoint is the vendor’s, without what it does not know', async () => {
    native.play(() => {
      const { id, created_at, usage } = response([])
      const output = [user('Build a boat'), compactionItem('gAAAAvendor')]
      return Response.json({ id, object: 'response.compaction', created_at, output, usage })
    })
    const told = await answered('responses/compact', { model: 'of-native', input: session })
    expect(told).toMatchObject({ object: 'response.compaction', usage: { total_tokens: 150 } })
    expect(told['id']).toMatch(/^resp_[0-9a-f]{32}$/)
    expect(JSON.stringify(told)).not.toContain('gAAAAvendor')
    expect(native.seen.at(-1)).toMatchObject({ path: '/v1/responses/compact' })
    expect(native.seen.at(-1)?.body).toEqual({ model: 'of-native-vendor', input: session })
  })

  test('an item that was never sealed here passes, and goes nowhere else', async () => {
    native.play(responds([message('Hello')]))
    const input = [compactionItem('gAAAAelsewhere'), user('and?')]
    await answered('responses', { model: 'of-native', input })
    expect(native.seen.at(-1)?.body['input']).toEqual(input)
    const told = await refusal(await post('responses', { model: 'anthropic', input }))
    expect(told).toEqual({ status: 400, code: 'endpoint_not_supported', param: 'input[0]' })
  })

  test('only there can compaction be left to the vendor', async () => {
    native.play(responds([message('Hello')]))
    const managed = { input: 'Hello', context_management: [{ type: 'compaction' }] }
    await answered('responses', { model: 'of-native', ...managed })
    const told = await refusal(await post('responses', { model: 'google', ...managed }))
    expect(told).toMatchObject({ status: 400, param: 'context_management' })
  })
})
